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
  return new Promise((resolve, reject) => {
    let onAbort;
    const { timer, cancel } = startTimer((value) => {
      if (signal) signal.removeEventListener('abort', onAbort);
      resolve(value);
    });
    if (!ref) timer.unref();
    if (signal) {
      onAbort = () => {
        cancel();
        reject(abortError(signal));
      };
      signal.addEventListener('abort', onAbort, { once: true });
    }
  });
}

async function* setInterval(after, value, options) {
  const { error, signal, ref } = checkOptions(options);
  if (error) throw error;
  if (signal?.aborted) throw abortError(signal);
  let pendingTicks = 0;
  let resume;
  let aborted;
  const interval = timers.setInterval(() => {
    pendingTicks++;
    resume?.();
  }, after);
  if (!ref) interval.unref();
  const onAbort = () => {
    timers.clearInterval(interval);
    aborted = abortError(signal);
    resume?.();
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    for (;;) {
      if (pendingTicks === 0 && !aborted) await new Promise((resolve) => { resume = resolve; });
      resume = undefined;
      for (; pendingTicks > 0; pendingTicks--) yield value;
      if (aborted) throw aborted;
    }
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

module.exports = {
  setTimeout,
  setImmediate,
  setInterval,
  scheduler: {
    wait: (delay, options) => setTimeout(delay, undefined, options),
    yield: () => setImmediate(),
  },
};
