// The module 'timers/promises'.

const timers = require('timers');

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
  let onAbort;
  const promise = new Promise((resolve, reject) => {
    const { timer, cancel } = startTimer(resolve);
    if (!ref) timer.unref();
    onAbort = () => {
      cancel();
      reject(abortError(signal));
    };
  });
  if (!signal) return promise;
  signal.addEventListener('abort', onAbort, { once: true });
  // As many jobs later as in Node.
  const copy = (original) => new Promise((resolve, reject) => original.then(resolve, reject));
  return copy(copy(promise).finally(() => signal.removeEventListener('abort', onAbort)));
}

async function* setInterval(after, value, options) {
  const { error, signal, ref } = checkOptions(options);
  if (error) throw error;
  if (signal?.aborted) throw abortError(signal);
  let pendingTicks = 0;
  let resume;
  const interval = timers.setInterval(() => {
    pendingTicks++;
    resume?.();
    resume = undefined;
  }, after);
  if (!ref) interval.unref();
  const onAbort = () => {
    timers.clearInterval(interval);
    resume?.(Promise.reject(abortError(signal)));
    resume = undefined;
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    while (!signal?.aborted) {
      if (pendingTicks === 0) await new Promise((resolve) => { resume = resolve; });
      for (; pendingTicks > 0; pendingTicks--) yield value;
    }
    throw abortError(signal);
  } finally {
    timers.clearInterval(interval);
    signal?.removeEventListener('abort', onAbort);
  }
}

function checkOptions(options) {
  const { codes } = require('internal/errors');
  if (options !== undefined && (options === null || typeof options !== 'object')) {
    return { error: new codes.ERR_INVALID_ARG_TYPE('options', 'Object', options) };
  }
  const { signal, ref = true } = options ?? {};
  const isSignal = signal !== null && typeof signal === 'object' && 'aborted' in signal;
  if (signal !== undefined && !isSignal) {
    return { error: new codes.ERR_INVALID_ARG_TYPE('options.signal', 'AbortSignal', signal) };
  }
  if (typeof ref !== 'boolean') {
    return { error: new codes.ERR_INVALID_ARG_TYPE('options.ref', 'boolean', ref) };
  }
  return { signal, ref };
}

function abortError(signal) {
  const { AbortError } = require('internal/errors');
  return new AbortError(undefined, { cause: signal.reason });
}

class Scheduler {
  constructor() {
    const { codes } = require('internal/errors');
    throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
  }

  wait(delay, options) {
    return setTimeout(delay, undefined, options);
  }

  yield() {
    return setImmediate();
  }
}

module.exports = { setTimeout, setImmediate, setInterval, scheduler: Object.create(Scheduler.prototype) };
