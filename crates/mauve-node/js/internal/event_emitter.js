// The class EventEmitter. The module 'events' adds the static functions.
//
// The listeners are in the table `_events`, which programs access: per type a function, or an array of
// several. once() adds a wrapper whose property `listener` is the original.
const { codes } = require('internal/errors');
const { createMethods, setDefaultLimit } = binding('events');
const kCapture = Symbol('kCapture');
const kShapeMode = Symbol('shapeMode');
const kErrorMonitor = Symbol('events.errorMonitor');
const kRejection = Symbol.for('nodejs.rejection');
let defaultLimit = 10;

function checkListener(listener) { if (typeof listener !== 'function') throw new codes.ERR_INVALID_ARG_TYPE('listener', 'Function', listener); }

function checkCount(value, name) {
  if (typeof value !== 'number') throw new codes.ERR_INVALID_ARG_TYPE(name, 'number', value);
  if (!(value >= 0)) throw new codes.ERR_OUT_OF_RANGE(name, '>= 0', value);
}

function checkBoolean(value, name) { require('internal/validators').validateBoolean(value, name); }

// --- the table ---

function clearTable(emitter) {
  emitter._events = Object.create(null);
  emitter._eventsCount = 0;
  return emitter._events;
}

function removeType(emitter, type) {
  if (emitter._eventsCount === 1) {
    clearTable(emitter);
  } else {
    emitter._eventsCount--;
    delete emitter._events[type];
  }
}

// Returns a copy, because listeners may change the table.
function copyListeners(emitter, type) {
  const existing = emitter._events?.[type];
  if (existing === undefined) return [];
  return typeof existing === 'function' ? [existing] : existing.slice();
}

const unwrap = (entry) => entry.listener || entry;
const matches = (entry, listener) => entry === listener || entry.listener === listener;

function insert(emitter, type, listener, first) {
  checkListener(listener);
  let table = emitter._events ?? clearTable(emitter);
  if (table.newListener !== undefined) {
    emitter.emit('newListener', type, listener.listener ?? listener);
    // The listener may have replaced the table.
    table = emitter._events;
  }
  const existing = table[type];
  if (existing === undefined) {
    table[type] = listener;
    emitter._eventsCount++;
    return emitter;
  }
  const list = typeof existing === 'function' ? (table[type] = [existing]) : existing;
  if (first) list.unshift(listener);
  else list.push(listener);
  warnAboutLeak(emitter, type, list);
  return emitter;
}

function maxListenersOf(emitter) { return emitter._maxListeners ?? defaultLimit; }

function warnAboutLeak(emitter, type, list) {
  const limit = maxListenersOf(emitter);
  if (list.warned || limit === 0 || !(list.length > limit)) return;
  list.warned = true;
  const shown = require('internal/util/inspect').inspect(emitter, { depth: -1 });
  const message =
    `Possible EventEmitter memory leak detected. ${list.length} ${String(type)} listeners added to ${shown}. ` +
    `MaxListeners is ${limit}. Use emitter.setMaxListeners() to increase limit`;
  const name = 'MaxListenersExceededWarning';
  process.emitWarning(Object.assign(new Error(message), { name, emitter, type, count: list.length }));
}

function wrapOnce(emitter, type, listener) {
  checkListener(listener);
  let fired = false;
  const wrapper = function (...args) {
    if (fired) return undefined;
    emitter.removeListener(type, wrapper);
    fired = true;
    return Reflect.apply(listener, emitter, args);
  };
  wrapper.listener = listener;
  return wrapper;
}

// --- calling ---

// With captureRejections, a rejected promise that a listener returned becomes an 'error' event.
function captureRejection(emitter, result, type, ...args) {
  if (!emitter[kCapture] || result === null) return;
  try {
    const { then } = result;
    if (typeof then !== 'function') return;
    Reflect.apply(then, result, [undefined, (err) => process.nextTick(onRejection, emitter, err, type, args)]);
  } catch (err) {
    emitter.emit('error', err);
  }
}

// The binding calls this for 'error', and the next two for more than two listeners.
function emit(type, ...args) {
  const table = this._events;
  if (type === 'error') {
    if (table?.[kErrorMonitor] !== undefined) this.emit(kErrorMonitor, ...args);
    if (table?.error === undefined) throwUnhandled(args[0]);
  }
  const existing = table?.[type];
  if (existing === undefined) return false;
  // Listeners that are added or removed during emit() do not affect it.
  const snapshot = typeof existing === 'function' ? [existing] : existing.slice();
  for (let i = 0; i < snapshot.length; i++) {
    const result = Reflect.apply(snapshot[i], this, args);
    if (result !== undefined) captureRejection(this, result, type, ...args);
  }
  return true;
}

function addListener(type, listener) { return insert(this, type, listener, false); }

function removeListener(type, listener) {
  checkListener(listener);
  const table = this._events;
  const existing = table?.[type];
  if (existing === undefined) return this;
  let removed = listener;
  if (matches(existing, listener)) {
    removeType(this, type);
    removed = unwrap(existing);
  } else {
    // Removes the last one.
    const at = typeof existing === 'function' ? -1 : existing.findLastIndex((entry) => matches(entry, listener));
    if (at === -1) return this;
    existing.splice(at, 1);
    if (existing.length === 1) [table[type]] = existing;
  }
  if (table.removeListener !== undefined) this.emit('removeListener', type, removed);
  return this;
}

function onRejection(emitter, err, type, args) {
  if (typeof emitter[kRejection] === 'function') {
    emitter[kRejection](err, type, ...args);
    return;
  }
  // Promises of 'error' listeners are not captured.
  const captures = emitter[kCapture];
  emitter[kCapture] = false;
  try {
    emitter.emit('error', err);
  } finally {
    emitter[kCapture] = captures;
  }
}

function throwUnhandled(thing) {
  if (thing instanceof Error) throw thing;
  let shown = thing;
  try {
    shown = require('internal/util/inspect').inspect(thing);
  } catch {
    // inspect() failed: uses the value itself.
  }
  throw Object.assign(new codes.ERR_UNHANDLED_ERROR(shown), { context: thing });
}

// --- the class ---

function EventEmitter(options) { EventEmitter.init.call(this, options); }

EventEmitter.init = function init(options) {
  // A table on the prototype would be shared by all instances.
  if (this._events === undefined || this._events === Object.getPrototypeOf(this)._events) clearTable(this);
  this._maxListeners ??= undefined;
  this[kShapeMode] = false;
  const captures = options?.captureRejections;
  if (captures) checkBoolean(captures, 'options.captureRejections');
  this[kCapture] = captures ? true : EventEmitter.prototype[kCapture];
};

Object.assign(EventEmitter.prototype, {
  _events: undefined,
  _eventsCount: 0,
  _maxListeners: undefined,

  setMaxListeners(n) {
    checkCount(n, 'setMaxListeners');
    this._maxListeners = n;
    return this;
  },

  getMaxListeners() { return maxListenersOf(this); },

  ...createMethods(emit, captureRejection, addListener, removeListener),

  prependListener(type, listener) { return insert(this, type, listener, true); },

  // Uses the public methods, because programs may override them.
  once(type, listener) {
    this.on(type, wrapOnce(this, type, listener));
    return this;
  },

  prependOnceListener(type, listener) {
    this.prependListener(type, wrapOnce(this, type, listener));
    return this;
  },

  removeAllListeners(...types) {
    const table = this._events;
    if (table === undefined) return this;
    const [type] = types;
    const isAll = types.length === 0;
    if (table.removeListener === undefined) {
      // Without a 'removeListener' listener, no events are emitted.
      if (isAll) clearTable(this);
      else if (table[type] !== undefined) removeType(this, type);
    } else if (isAll) {
      const others = Reflect.ownKeys(table).filter((key) => key !== 'removeListener');
      // The listeners of 'removeListener' are removed last.
      for (const key of [...others, 'removeListener']) this.removeAllListeners(key);
      clearTable(this);
    } else {
      for (const entry of copyListeners(this, type).reverse()) this.removeListener(type, entry);
    }
    return this;
  },

  listeners(type) { return copyListeners(this, type).map(unwrap); },
  rawListeners(type) { return copyListeners(this, type); },

  listenerCount(type, listener) {
    const existing = this._events?.[type];
    if (existing === undefined) return 0;
    if (listener != null) return copyListeners(this, type).filter((entry) => matches(entry, listener)).length;
    return typeof existing === 'function' ? 1 : existing.length;
  },

  eventNames() {
    if (!(this._eventsCount > 0)) return [];
    // Streams have slots without listeners.
    return Reflect.ownKeys(this._events).filter((type) => this._events[type] !== undefined);
  },
});
EventEmitter.prototype.on = EventEmitter.prototype.addListener;
EventEmitter.prototype.off = EventEmitter.prototype.removeListener;
Object.defineProperty(EventEmitter.prototype, kCapture, { value: false, writable: true, enumerable: false });

Object.defineProperty(EventEmitter, 'captureRejections', {
  enumerable: true,
  configurable: true,
  get: () => EventEmitter.prototype[kCapture],
  set(is) {
    checkBoolean(is, 'EventEmitter.captureRejections');
    EventEmitter.prototype[kCapture] = is;
  },
});

Object.defineProperty(EventEmitter, 'defaultMaxListeners', {
  enumerable: true,
  get: () => defaultLimit,
  set(limit) {
    checkCount(limit, 'defaultMaxListeners');
    defaultLimit = limit;
    setDefaultLimit(limit);
  },
});

module.exports = { EventEmitter, checkCount, kErrorMonitor, kRejection, maxListenersOf };
