// The module 'events': the class EventEmitter and its static functions.
const { EventEmitter, checkCount, kErrorMonitor, kRejection, maxListenersOf } = require('internal/event_emitter');
const { abortError, onAbort, throwIfAborted } = require('internal/abort');
const { codes } = require('internal/errors');
const { validateAbortSignal, validateFunction, validateObject } = require('internal/validators');

module.exports = EventEmitter;

const isEventTarget = (value) => typeof value?.addEventListener === 'function';
const isEmitter = (value) => typeof value?.on === 'function';

// Adds a listener to an EventEmitter or an EventTarget. Returns a function that removes it.
function listen(emitter, name, listener, isOnce) {
  if (isEmitter(emitter)) {
    if (isOnce) emitter.once(name, listener);
    else emitter.on(name, listener);
    return () => emitter.removeListener(name, listener);
  }
  if (isEventTarget(emitter)) {
    emitter.addEventListener(name, listener, { once: isOnce });
    return () => emitter.removeEventListener(name, listener);
  }
  throw new codes.ERR_INVALID_ARG_TYPE('emitter', 'EventEmitter', emitter);
}

async function once(emitter, name, options = {}) {
  validateObject(options, 'options');
  const { signal } = options;
  validateAbortSignal(signal, 'options.signal');
  throwIfAborted(signal);
  return new Promise((resolve, reject) => {
    const removers = [];
    const close = () => removers.forEach((remove) => remove());
    removers.push(listen(emitter, name, (...args) => {
      close();
      resolve(args);
    }, true));
    if (name !== 'error' && typeof emitter.once === 'function') {
      removers.push(listen(emitter, 'error', (error) => {
        close();
        reject(error);
      }, true));
    }
    if (signal) {
      removers.push(listen(signal, 'abort', () => {
        close();
        reject(abortError(signal));
      }, true));
    }
  });
}

const asyncIteratorPrototype = Object.getPrototypeOf(Object.getPrototypeOf(async function* () {}).prototype);

// An option of on(), for readline: the values are the first arguments instead of arrays.
const kFirstArgument = Symbol.for('mauve.firstArgument');

// Returns an async iterator of the arguments of an event.
function on(emitter, event, options = {}) {
  validateObject(options, 'options');
  const { signal, close: closeEvents = [] } = options;
  const highWaterMark = options.highWaterMark ?? options.highWatermark ?? Number.MAX_SAFE_INTEGER;
  const lowWaterMark = options.lowWaterMark ?? options.lowWatermark ?? 1;
  validateAbortSignal(signal, 'options.signal');
  const { validateInteger } = require('internal/validators');
  validateInteger(highWaterMark, 'options.highWaterMark', 1);
  validateInteger(lowWaterMark, 'options.lowWaterMark', 1);
  throwIfAborted(signal);

  const buffered = [];
  const pendingReads = [];
  const removers = [];
  let error = null;
  let finished = false;
  let paused = false;

  const result = (value, done) => ({ value, done });

  function close() {
    removers.splice(0).forEach((remove) => remove());
    finished = true;
    for (const promise of pendingReads.splice(0)) promise.resolve(result(undefined, true));
    return Promise.resolve(result(undefined, true));
  }

  function fail(reason) {
    const promise = pendingReads.shift();
    if (promise) promise.reject(reason);
    else error = reason;
    close();
  }

  const iterator = Object.setPrototypeOf({
    next() {
      if (buffered.length > 0) {
        const value = buffered.shift();
        if (paused && buffered.length < lowWaterMark) {
          emitter.resume();
          paused = false;
        }
        return Promise.resolve(result(value, false));
      }
      if (error) {
        const rejection = Promise.reject(error);
        error = null;
        return rejection;
      }
      if (finished) return close();
      return new Promise((resolve, reject) => pendingReads.push({ resolve, reject }));
    },
    return: close,
    throw(reason) {
      if (!reason || !(reason instanceof Error)) throw new codes.ERR_INVALID_ARG_TYPE('EventEmitter.AsyncIterator', 'Error', reason);
      fail(reason);
    },
    [Symbol.asyncIterator]() { return this; },
    [Symbol.for('nodejs.watermarkData')]: {
      get size() { return buffered.length; },
      get low() { return lowWaterMark; },
      get high() { return highWaterMark; },
      get isPaused() { return paused; },
    },
  }, asyncIteratorPrototype);

  removers.push(listen(emitter, event, (...args) => {
    const value = options[kFirstArgument] ? args[0] : args;
    const promise = pendingReads.shift();
    if (promise) {
      promise.resolve(result(value, false));
      return;
    }
    buffered.push(value);
    if (!paused && buffered.length > highWaterMark && typeof emitter.pause === 'function') {
      paused = true;
      emitter.pause();
    }
  }));
  if (event !== 'error' && isEmitter(emitter)) removers.push(listen(emitter, 'error', fail));
  for (const name of closeEvents) removers.push(listen(emitter, name, close));
  if (signal) removers.push(listen(signal, 'abort', () => fail(abortError(signal)), true));
  return iterator;
}

function getEventListeners(emitter, type) {
  if (typeof emitter?.listeners === 'function') return emitter.listeners(type);
  const { EventTarget, listenersOf } = require('internal/event_target');
  if (emitter instanceof EventTarget) return listenersOf(emitter, type);
  throw new codes.ERR_INVALID_ARG_TYPE('emitter', ['EventEmitter', 'EventTarget'], emitter);
}

function getMaxListeners(emitter) {
  if (typeof emitter?.getMaxListeners === 'function') return maxListenersOf(emitter);
  const { EventTarget, limits } = require('internal/event_target');
  if (emitter instanceof EventTarget) return limits.get(emitter) ?? EventEmitter.defaultMaxListeners;
  throw new codes.ERR_INVALID_ARG_TYPE('emitter', ['EventEmitter', 'EventTarget'], emitter);
}

function setMaxListeners(n = EventEmitter.defaultMaxListeners, ...targets) {
  checkCount(n, 'setMaxListeners');
  if (targets.length === 0) {
    EventEmitter.defaultMaxListeners = n;
    return;
  }
  const { EventTarget, limits } = require('internal/event_target');
  for (const target of targets) {
    if (target instanceof EventTarget) limits.set(target, n);
    else if (typeof target?.setMaxListeners === 'function') target.setMaxListeners(n);
    else throw new codes.ERR_INVALID_ARG_TYPE('eventTargets', ['EventEmitter', 'EventTarget'], target);
  }
}

function listenerCount(emitter, type) {
  if (typeof emitter.listenerCount === 'function') return emitter.listenerCount(type);
  return EventEmitter.prototype.listenerCount.call(emitter, type);
}

// Calls `listener` when the signal aborts. Returns a disposable that removes it.
function addAbortListener(signal, listener) {
  if (signal === undefined) throw new codes.ERR_INVALID_ARG_TYPE('signal', 'AbortSignal', signal);
  validateAbortSignal(signal, 'signal');
  validateFunction(listener, 'listener');
  let remove;
  if (signal.aborted) queueMicrotask(() => listener());
  else remove = onAbort(signal, listener);
  const dispose = Symbol.dispose ?? Symbol.for('nodejs.dispose');
  return { [dispose]() { remove?.(); } };
}

Object.assign(EventEmitter, { addAbortListener, once, on, getEventListeners, getMaxListeners, EventEmitter });
EventEmitter.usingDomains = false;
Object.defineProperty(EventEmitter, 'captureRejectionSymbol', { value: kRejection, enumerable: true });
Object.defineProperty(EventEmitter, 'errorMonitor', { value: kErrorMonitor, enumerable: true });
require('internal/util/getters').defineGetters(EventEmitter, {
  EventEmitterAsyncResource: () => require('internal/event_emitter_async_resource').EventEmitterAsyncResource,
});
EventEmitter.setMaxListeners = setMaxListeners;
EventEmitter.listenerCount = listenerCount;
