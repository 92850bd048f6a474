// EventEmitter itself. `events` adds the functions around it.

const { codes } = require('internal/errors');

const kCapture = Symbol('kCapture');
const kShapeMode = Symbol('shapeMode');
const kErrorMonitor = Symbol('events.errorMonitor');
const kRejection = Symbol.for('nodejs.rejection');

let defaultMaxListeners = 10;

function checkListener(listener) {
  if (typeof listener !== 'function') throw new codes.ERR_INVALID_ARG_TYPE('listener', 'Function', listener);
}

function checkCount(value, name) {
  if (typeof value !== 'number') throw new codes.ERR_INVALID_ARG_TYPE(name, 'number', value);
  if (value < 0 || Number.isNaN(value)) throw new codes.ERR_OUT_OF_RANGE(name, '>= 0', value);
}

function EventEmitter(options) {
  EventEmitter.init.call(this, options);
}

EventEmitter.prototype._events = undefined;
EventEmitter.prototype._eventsCount = 0;
EventEmitter.prototype._maxListeners = undefined;
Object.defineProperty(EventEmitter.prototype, kCapture, { value: false, writable: true, enumerable: false });

Object.defineProperties(EventEmitter, {
  captureRejections: {
    get() {
      return EventEmitter.prototype[kCapture];
    },
    set(value) {
      require('internal/validators').validateBoolean(value, 'EventEmitter.captureRejections');
      EventEmitter.prototype[kCapture] = value;
    },
    enumerable: true,
    configurable: true,
  },
  defaultMaxListeners: {
    get() {
      return defaultMaxListeners;
    },
    set(value) {
      checkCount(value, 'defaultMaxListeners');
      defaultMaxListeners = value;
    },
    enumerable: true,
  },
});

EventEmitter.init = function init(options) {
  if (this._events === undefined || this._events === Object.getPrototypeOf(this)._events) {
    this._events = Object.create(null);
    this._eventsCount = 0;
  }
  this._maxListeners ??= undefined;
  this[kShapeMode] = false;
  if (options?.captureRejections) {
    require('internal/validators').validateBoolean(options.captureRejections, 'options.captureRejections');
    this[kCapture] = Boolean(options.captureRejections);
  } else {
    this[kCapture] = EventEmitter.prototype[kCapture];
  }
};

// A promise that a listener returned is watched if rejections are captured.
function watchPromise(emitter, promise, type, args) {
  if (!emitter[kCapture] || promise === undefined || promise === null) return;
  try {
    const { then } = promise;
    if (typeof then !== 'function') return;
    then.call(promise, undefined, (error) => {
      process.nextTick(() => {
        if (typeof emitter[kRejection] === 'function') {
          emitter[kRejection](error, type, ...args);
          return;
        }
        // The handler of 'error' is not watched in turn.
        const previous = emitter[kCapture];
        emitter[kCapture] = false;
        try {
          emitter.emit('error', error);
        } finally {
          emitter[kCapture] = previous;
        }
      });
    });
  } catch (error) {
    emitter.emit('error', error);
  }
}

function throwUnhandled(error) {
  if (error instanceof Error) throw error;
  let text;
  try {
    text = require('internal/util/inspect').inspect(error);
  } catch {
    text = error;
  }
  const wrapped = new codes.ERR_UNHANDLED_ERROR(text);
  wrapped.context = error;
  throw wrapped;
}

const methods = {
  setMaxListeners: function setMaxListeners(n) {
    checkCount(n, 'setMaxListeners');
    this._maxListeners = n;
    return this;
  },

  getMaxListeners: function getMaxListeners() {
    return maxListenersOf(this);
  },

  emit: function emit(type, ...args) {
    const events = this._events;
    if (type === 'error') {
      if (events?.[kErrorMonitor] !== undefined) this.emit(kErrorMonitor, ...args);
      if (events?.error === undefined) throwUnhandled(args[0]);
    }
    const handler = events?.[type];
    if (handler === undefined) return false;
    if (typeof handler === 'function') {
      const result = Reflect.apply(handler, this, args);
      if (result !== undefined) watchPromise(this, result, type, args);
      return true;
    }
    // Listeners added or removed meanwhile do not change this round.
    const listeners = handler.slice();
    for (let i = 0; i < listeners.length; i++) {
      const result = Reflect.apply(listeners[i], this, args);
      if (result !== undefined) watchPromise(this, result, type, args);
    }
    return true;
  },

  addListener: function addListener(type, listener) {
    return add(this, type, listener, false);
  },

  on: undefined,

  prependListener: function prependListener(type, listener) {
    return add(this, type, listener, true);
  },

  once: function once(type, listener) {
    checkListener(listener);
    this.on(type, onceWrap(this, type, listener));
    return this;
  },

  prependOnceListener: function prependOnceListener(type, listener) {
    checkListener(listener);
    this.prependListener(type, onceWrap(this, type, listener));
    return this;
  },

  removeListener: function removeListener(type, listener) {
    checkListener(listener);
    const events = this._events;
    const list = events?.[type];
    if (list === undefined) return this;
    if (list === listener || list.listener === listener) {
      dropType(this, type);
      if (events.removeListener) this.emit('removeListener', type, list.listener || listener);
    } else if (typeof list !== 'function') {
      const at = list.findLastIndex((one) => one === listener || one.listener === listener);
      if (at < 0) return this;
      if (at === 0) list.shift();
      else list.splice(at, 1);
      if (list.length === 1) events[type] = list[0];
      if (events.removeListener !== undefined) this.emit('removeListener', type, listener);
    }
    return this;
  },

  off: undefined,

  removeAllListeners: function removeAllListeners(type) {
    const events = this._events;
    if (events === undefined) return this;
    if (events.removeListener === undefined) {
      // Nobody wants to hear of each one.
      if (arguments.length === 0) {
        this._events = Object.create(null);
        this._eventsCount = 0;
      } else if (events[type] !== undefined) {
        dropType(this, type);
      }
      return this;
    }
    if (arguments.length === 0) {
      for (const key of Reflect.ownKeys(events)) {
        if (key !== 'removeListener') this.removeAllListeners(key);
      }
      this.removeAllListeners('removeListener');
      this._events = Object.create(null);
      this._eventsCount = 0;
      return this;
    }
    const list = events[type];
    if (typeof list === 'function') {
      this.removeListener(type, list);
    } else if (list !== undefined) {
      for (let i = list.length - 1; i >= 0; i--) this.removeListener(type, list[i]);
    }
    return this;
  },

  listeners: function listeners(type) {
    return rawList(this, type).map((one) => one.listener || one);
  },

  rawListeners: function rawListeners(type) {
    return rawList(this, type);
  },

  listenerCount: function listenerCount(type, listener) {
    const list = rawList(this, type);
    if (listener == null) return list.length;
    return list.filter((one) => one === listener || one.listener === listener).length;
  },

  eventNames: function eventNames() {
    return this._eventsCount > 0 ? Reflect.ownKeys(this._events) : [];
  },
};
methods.on = methods.addListener;
methods.off = methods.removeListener;
Object.assign(EventEmitter.prototype, methods);

function maxListenersOf(emitter) {
  return emitter._maxListeners === undefined ? defaultMaxListeners : emitter._maxListeners;
}

function rawList(emitter, type) {
  const list = emitter._events?.[type];
  if (list === undefined) return [];
  return typeof list === 'function' ? [list] : list.slice();
}

function dropType(emitter, type) {
  if (--emitter._eventsCount === 0) emitter._events = Object.create(null);
  else delete emitter._events[type];
}

function add(emitter, type, listener, prepend) {
  checkListener(listener);
  let events = emitter._events;
  if (events === undefined) {
    events = emitter._events = Object.create(null);
    emitter._eventsCount = 0;
  } else if (events.newListener !== undefined) {
    emitter.emit('newListener', type, listener.listener ?? listener);
    // The handler may have replaced the table.
    events = emitter._events;
  }
  const existing = events[type];
  if (existing === undefined) {
    events[type] = listener;
    emitter._eventsCount += 1;
    return emitter;
  }
  if (typeof existing === 'function') {
    events[type] = prepend ? [listener, existing] : [existing, listener];
  } else if (prepend) {
    existing.unshift(listener);
  } else {
    existing.push(listener);
  }
  warnOfLeak(emitter, type, events[type]);
  return emitter;
}

function warnOfLeak(emitter, type, list) {
  const limit = maxListenersOf(emitter);
  if (!(limit > 0 && list.length > limit) || list.warned) return;
  list.warned = true;
  const { inspect } = require('internal/util/inspect');
  const warning = new Error(
    `Possible EventEmitter memory leak detected. ${list.length} ${String(type)} listeners ` +
    `added to ${inspect(emitter, { depth: -1 })}. MaxListeners is ${limit}. ` +
    'Use emitter.setMaxListeners() to increase limit');
  warning.name = 'MaxListenersExceededWarning';
  warning.emitter = emitter;
  warning.type = type;
  warning.count = list.length;
  process.emitWarning(warning);
}

function onceWrap(target, type, listener) {
  let fired = false;
  function wrapped(...args) {
    if (fired) return undefined;
    target.removeListener(type, wrapped);
    fired = true;
    return Reflect.apply(listener, target, args);
  }
  Object.defineProperty(wrapped, 'name', { value: 'bound onceWrapper' });
  wrapped.listener = listener;
  return wrapped;
}

module.exports = { EventEmitter, checkCount, kErrorMonitor, kRejection, maxListenersOf };
