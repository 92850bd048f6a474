// EventEmitter itself. `events` adds the functions around it.
//
// Listeners are kept in a table (`_events`) that programs look into: a type has one function, or an
// array of several. What once() adds is a wrapper that carries the original as `listener`.

const { codes } = require('internal/errors');

const CAPTURES = Symbol('kCapture');
const SHAPE = Symbol('shapeMode');
const ERROR_MONITOR = Symbol('events.errorMonitor');
const REJECTION = Symbol.for('nodejs.rejection');

let usualLimit = 10;

function mustBeFunction(listener) {
  if (typeof listener !== 'function') throw new codes.ERR_INVALID_ARG_TYPE('listener', 'Function', listener);
}

function mustBeCount(value, name) {
  if (typeof value !== 'number') throw new codes.ERR_INVALID_ARG_TYPE(name, 'number', value);
  if (!(value >= 0)) throw new codes.ERR_OUT_OF_RANGE(name, '>= 0', value);
}

function mustBeBoolean(value, name) {
  require('internal/validators').validateBoolean(value, name);
}

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

// A copy: what happens to the table meanwhile is of no consequence.
function listOf(emitter, type) {
  const there = emitter._events?.[type];
  if (there === undefined) return [];
  return typeof there === 'function' ? [there] : there.slice();
}

const original = (entry) => entry.listener || entry;
const stands = (entry, listener) => entry === listener || entry.listener === listener;

function insert(emitter, type, listener, first) {
  mustBeFunction(listener);
  let table = emitter._events ?? clearTable(emitter);
  if (table.newListener !== undefined) {
    emitter.emit('newListener', type, listener.listener ?? listener);
    // That may have led to another table.
    table = emitter._events;
  }
  const there = table[type];
  if (there === undefined) {
    table[type] = listener;
    emitter._eventsCount++;
    return emitter;
  }
  const list = typeof there === 'function' ? (table[type] = [there]) : there;
  if (first) list.unshift(listener);
  else list.push(listener);
  warnOfLeak(emitter, type, list);
  return emitter;
}

function limitOf(emitter) {
  return emitter._maxListeners ?? usualLimit;
}

function warnOfLeak(emitter, type, list) {
  const limit = limitOf(emitter);
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
  mustBeFunction(listener);
  let spent = false;
  const wrapper = function (...args) {
    if (spent) return undefined;
    emitter.removeListener(type, wrapper);
    spent = true;
    return Reflect.apply(listener, emitter, args);
  };
  Object.defineProperty(wrapper, 'name', { value: 'bound onceWrapper' });
  wrapper.listener = listener;
  return wrapper;
}

// --- calling ---

// What a listener has returned may be a promise; if rejections are captured, its failure is an event.
function watch(emitter, result, type, args) {
  if (!emitter[CAPTURES] || result === null) return;
  try {
    const { then } = result;
    if (typeof then !== 'function') return;
    Reflect.apply(then, result, [undefined, (err) => process.nextTick(rejected, emitter, err, type, args)]);
  } catch (err) {
    emitter.emit('error', err);
  }
}

function rejected(emitter, err, type, args) {
  if (typeof emitter[REJECTION] === 'function') {
    emitter[REJECTION](err, type, ...args);
    return;
  }
  // What the listeners of 'error' return is not watched in turn.
  const captures = emitter[CAPTURES];
  emitter[CAPTURES] = false;
  try {
    emitter.emit('error', err);
  } finally {
    emitter[CAPTURES] = captures;
  }
}

function throwUnheard(thing) {
  if (thing instanceof Error) throw thing;
  let shown = thing;
  try {
    shown = require('internal/util/inspect').inspect(thing);
  } catch {
    // It is shown as it is.
  }
  throw Object.assign(new codes.ERR_UNHANDLED_ERROR(shown), { context: thing });
}

// --- the class ---

function EventEmitter(options) {
  EventEmitter.init.call(this, options);
}

EventEmitter.init = function init(options) {
  // A table that comes from the prototype would be shared by everybody.
  if (this._events === undefined || this._events === Object.getPrototypeOf(this)._events) clearTable(this);
  this._maxListeners ??= undefined;
  this[SHAPE] = false;
  const wanted = options?.captureRejections;
  if (wanted) mustBeBoolean(wanted, 'options.captureRejections');
  this[CAPTURES] = wanted ? true : EventEmitter.prototype[CAPTURES];
};

Object.assign(EventEmitter.prototype, {
  _events: undefined,
  _eventsCount: 0,
  _maxListeners: undefined,

  setMaxListeners(n) {
    mustBeCount(n, 'setMaxListeners');
    this._maxListeners = n;
    return this;
  },

  getMaxListeners() {
    return limitOf(this);
  },

  emit(type, ...args) {
    const table = this._events;
    if (type === 'error') {
      if (table?.[ERROR_MONITOR] !== undefined) this.emit(ERROR_MONITOR, ...args);
      if (table?.error === undefined) throwUnheard(args[0]);
    }
    const there = table?.[type];
    if (there === undefined) return false;
    // Those added or removed from here on do not change this round.
    const round = typeof there === 'function' ? null : there.slice();
    const count = round === null ? 1 : round.length;
    for (let i = 0; i < count; i++) {
      const result = Reflect.apply(round === null ? there : round[i], this, args);
      if (result !== undefined) watch(this, result, type, args);
    }
    return true;
  },

  addListener(type, listener) {
    return insert(this, type, listener, false);
  },

  prependListener(type, listener) {
    return insert(this, type, listener, true);
  },

  // Through the public methods, which a program may have replaced.
  once(type, listener) {
    this.on(type, wrapOnce(this, type, listener));
    return this;
  },

  prependOnceListener(type, listener) {
    this.prependListener(type, wrapOnce(this, type, listener));
    return this;
  },

  removeListener(type, listener) {
    mustBeFunction(listener);
    const table = this._events;
    const there = table?.[type];
    if (there === undefined) return this;
    let gone = listener;
    if (stands(there, listener)) {
      removeType(this, type);
      gone = original(there);
    } else {
      // The latest of several.
      const at = typeof there === 'function' ? -1 : there.findLastIndex((entry) => stands(entry, listener));
      if (at === -1) return this;
      there.splice(at, 1);
      if (there.length === 1) [table[type]] = there;
    }
    if (table.removeListener !== undefined) this.emit('removeListener', type, gone);
    return this;
  },

  removeAllListeners(...types) {
    const table = this._events;
    if (table === undefined) return this;
    const [type] = types;
    const isEverything = types.length === 0;
    if (table.removeListener === undefined) {
      // Nobody wants to hear of them one by one.
      if (isEverything) clearTable(this);
      else if (table[type] !== undefined) removeType(this, type);
    } else if (isEverything) {
      const others = Reflect.ownKeys(table).filter((key) => key !== 'removeListener');
      // Those who listen to the removals go last.
      for (const key of [...others, 'removeListener']) this.removeAllListeners(key);
      clearTable(this);
    } else {
      for (const entry of listOf(this, type).reverse()) this.removeListener(type, entry);
    }
    return this;
  },

  listeners(type) {
    return listOf(this, type).map(original);
  },

  rawListeners(type) {
    return listOf(this, type);
  },

  listenerCount(type, listener) {
    const there = this._events?.[type];
    if (there === undefined) return 0;
    if (listener != null) return listOf(this, type).filter((entry) => stands(entry, listener)).length;
    return typeof there === 'function' ? 1 : there.length;
  },

  eventNames() {
    return this._eventsCount > 0 ? Reflect.ownKeys(this._events) : [];
  },
});
EventEmitter.prototype.on = EventEmitter.prototype.addListener;
EventEmitter.prototype.off = EventEmitter.prototype.removeListener;
Object.defineProperty(EventEmitter.prototype, CAPTURES, { value: false, writable: true, enumerable: false });

Object.defineProperty(EventEmitter, 'captureRejections', {
  enumerable: true,
  configurable: true,
  get: () => EventEmitter.prototype[CAPTURES],
  set(is) {
    mustBeBoolean(is, 'EventEmitter.captureRejections');
    EventEmitter.prototype[CAPTURES] = is;
  },
});

Object.defineProperty(EventEmitter, 'defaultMaxListeners', {
  enumerable: true,
  get: () => usualLimit,
  set(limit) {
    mustBeCount(limit, 'defaultMaxListeners');
    usualLimit = limit;
  },
});

module.exports = {
  EventEmitter,
  checkCount: mustBeCount,
  kErrorMonitor: ERROR_MONITOR,
  kRejection: REJECTION,
  maxListenersOf: limitOf,
};
