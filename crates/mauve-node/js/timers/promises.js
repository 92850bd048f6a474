// The module 'timers/promises'.
const timers = require('timers');
const { abortError, onAbort, throwIfAborted } = require('internal/abort');
const { PendingCallback } = require('internal/streams/callbacks');

function setTimeout(after, value, options) {
  return timerPromise(options, (resolve) => {
    const timer = timers.setTimeout(resolve, after, value);
    return { timer, cancel: () => timers.clearTimeout(timer) };
  });
}

function setImmediate(value, options) {
  return timerPromise(options, (resolve) => {
    const timer = timers.setImmediate(resolve, value);
    return { timer, cancel: () => timers.clearImmediate(timer) };
  });
}

function timerPromise(options, startTimer) {
  const checked = checkOptions(options);
  if (checked.error) return Promise.reject(checked.error);
  const { signal, ref } = checked;
  if (signal?.aborted) return Promise.reject(abortError(signal));
  let abort;
  const promise = new Promise((resolve, reject) => {
    const { timer, cancel } = startTimer(resolve);
    if (!ref) timer.unref();
    abort = () => {
      cancel();
      reject(abortError(signal));
    };
  });
  if (!signal) return promise;
  const release = onAbort(signal, abort);
  // As many jobs later as in Node.
  const copy = (original) => new Promise((resolve, reject) => original.then(resolve, reject));
  return copy(copy(promise).finally(release));
}

async function* setInterval(after, value, options) {
  const { error, signal, ref } = checkOptions(options);
  if (error) throw error;
  throwIfAborted(signal);
  let pendingTicks = 0;
  const next = new PendingCallback();
  const interval = timers.setInterval(() => {
    pendingTicks++;
    next.fire();
  }, after);
  if (!ref) interval.unref();
  const release = onAbort(signal, () => {
    timers.clearInterval(interval);
    next.fire(Promise.reject(abortError(signal)));
  });
  try {
    while (!signal?.aborted) {
      if (pendingTicks === 0) await new Promise((resolve) => next.set(resolve));
      for (; pendingTicks > 0; pendingTicks--) yield value;
    }
    throw abortError(signal);
  } finally {
    timers.clearInterval(interval);
    release();
  }
}

function checkOptions(options) {
  const validators = require('internal/validators');
  try {
    if (options !== undefined) validators.validateObject(options, 'options', { allowArray: true });
    const { signal, ref = true } = options ?? {};
    validators.validateAbortSignal(signal, 'options.signal');
    validators.validateBoolean(ref, 'options.ref');
    return { signal, ref };
  } catch (error) {
    return { error };
  }
}

class Scheduler {
  constructor() {
    const { codes } = require('internal/errors');
    throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
  }

  wait(delay, options) { return setTimeout(delay, undefined, options); }
  yield() { return setImmediate(); }
}

module.exports = { setTimeout, setImmediate, setInterval, scheduler: Object.create(Scheduler.prototype) };
