// The base class of ReadableState and WritableState, and helpers to define accessors with the property
// names that Node documents or that programs use.
const { codes } = require('internal/errors');
const { Buffer } = require('buffer');
const { getHighWaterMark } = require('internal/streams/high_water_mark');
const { DestroyState, Lifecycle } = require('internal/streams/destroy');

// Defines accessors on a prototype, from a table of name: [get, set].
function defineAccessors(prototype, table) {
  for (const [name, [get, set]] of Object.entries(table)) {
    Object.defineProperty(prototype, name, {
      configurable: true,
      get() { return get(this); },
      set(value) { set(this, value); },
    });
  }
}

// For defineAccessors: a boolean property that is true once a numeric field has reached `stage`.
function hasReached(field, stage) {
  return [
    (state) => state[field] >= stage,
    (state, is) => { state[field] = is ? Math.max(state[field], stage) : Math.min(state[field], stage - 1); },
  ];
}

function hasDestroyState(stage) {
  return [({ lifecycle }) => lifecycle.destroyState >= stage, ({ lifecycle }, value) => lifecycle.setDestroyState(stage, value)];
}

function lifecycleField(field) {
  return [
    (state) => state.lifecycle[field],
    (state, value) => { state.lifecycle[field] = value; },
  ];
}

class StreamState {
  // `name` is 'readable' or 'writable' for a duplex stream, otherwise null. `other` is the state of the
  // other side, whose lifecycle is shared.
  constructor(options, name, other) {
    this.lifecycle = other?.lifecycle ?? new Lifecycle();
    if (options?.objectMode || (name && options?.[`${name}ObjectMode`])) this.objectMode = true;
    this.highWaterMark = getHighWaterMark(options, this.objectMode, name && `${name}HighWaterMark`);
    const encoding = options?.defaultEncoding;
    if (encoding !== undefined && encoding !== null) this.defaultEncoding = checkedEncoding(encoding);
    if (options?.emitClose === false) this.emitClose = false;
    if (options?.autoDestroy === false) this.autoDestroy = false;
  }
}

// Initial values, as in Lifecycle.
Object.assign(StreamState.prototype, {
  objectMode: false,
  defaultEncoding: 'utf8',
  emitClose: true,
  autoDestroy: true,
  // True while _read, _write or _final is on the stack. Callbacks that it calls synchronously are deferred
  // to the next tick.
  sync: true,
});

defineAccessors(StreamState.prototype, {
  constructed: lifecycleField('constructed'),
  errored: [(state) => state.lifecycle.errored, ({ lifecycle }, err) => lifecycle.set(lifecycle.destroyState, err)],
  errorEmitted: lifecycleField('errorEmitted'),
  destroyed: hasDestroyState(DestroyState.DESTROYED),
  closed: hasDestroyState(DestroyState.CLOSED),
  closeEmitted: hasDestroyState(DestroyState.CLOSE_EMITTED),
});

function checkedEncoding(encoding) {
  if (encoding === 'utf8' || Buffer.isEncoding(encoding)) return encoding;
  throw new codes.ERR_UNKNOWN_ENCODING(encoding);
}

// Methods passed as options (`read`, `write`, ...) become `_read`, `_write`, ... of the stream.
function useOptionMethods(stream, options, names) {
  if (!options) return;
  for (let i = 0; i < names.length; i++) {
    const method = options[names[i]];
    if (typeof method === 'function') stream[`_${names[i]}`] = method;
  }
}

// Returns a Buffer that shares the memory of a view.
function asBuffer(view) { return Buffer.from(view.buffer, view.byteOffset, view.byteLength); }

module.exports = { StreamState, asBuffer, checkedEncoding, defineAccessors, hasReached, useOptionMethods };
