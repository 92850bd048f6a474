// What the states of both sides of a stream have in common, and how a state shows what it keeps under
// the names that programs look for.

const { codes } = require('internal/errors');
const { Buffer } = require('buffer');
const { chosenMark } = require('internal/streams/marks');
const { Fate, Life } = require('internal/streams/life');

// Accessors on a prototype, from a table of name: [read, write].
function expose(prototype, table) {
  for (const [name, [read, write]] of Object.entries(table)) {
    Object.defineProperty(prototype, name, {
      configurable: true,
      get() {
        return read(this);
      },
      set(value) {
        write(this, value);
      },
    });
  }
}

// For expose: a name for a stage that a field has reached or passed.
function reached(field, stage) {
  return [
    (state) => state[field] >= stage,
    (state, is) => {
      state[field] = is ? Math.max(state[field], stage) : Math.min(state[field], stage - 1);
    },
  ];
}

function fateReached(fate) {
  return [(state) => state.life.fate >= fate, (state, is) => state.life.decide(fate, is)];
}

function ofLife(field) {
  return [
    (state) => state.life[field],
    (state, value) => {
      state.life[field] = value;
    },
  ];
}

class SideState {
  // `name` is the side's, of a stream that has two; the second one made shares the life of the first.
  constructor(options, name, other) {
    this.life = other?.life ?? new Life();
    this.objectMode = Boolean(options?.objectMode || (name && options?.[`${name}ObjectMode`]));
    this.highWaterMark = chosenMark(options, this.objectMode, name && `${name}HighWaterMark`);
    this.defaultEncoding = knownEncoding(options?.defaultEncoding ?? 'utf8');
    this.emitClose = options?.emitClose !== false;
    this.autoDestroy = options?.autoDestroy !== false;
    // Whether the program's method is on the stack: what it answers at once is told a tick later.
    this.sync = true;
  }
}

expose(SideState.prototype, {
  constructed: ofLife('ready'),
  errored: [(state) => state.life.failure, ({ life }, failure) => life.become(life.fate, failure)],
  errorEmitted: ofLife('failureTold'),
  destroyed: fateReached(Fate.DOOMED),
  closed: fateReached(Fate.CLOSED),
  closeEmitted: fateReached(Fate.GONE),
});

function knownEncoding(encoding) {
  if (Buffer.isEncoding(encoding)) return encoding;
  throw new codes.ERR_UNKNOWN_ENCODING(encoding);
}

// Methods given as options become methods of the stream.
function adopt(stream, options, names) {
  for (const name of names) {
    if (typeof options?.[name] === 'function') stream[`_${name}`] = options[name];
  }
}

// A view of bytes as a Buffer over the same memory.
function asBuffer(view) {
  return Buffer.from(view.buffer, view.byteOffset, view.byteLength);
}

module.exports = { SideState, adopt, asBuffer, expose, knownEncoding, reached };
