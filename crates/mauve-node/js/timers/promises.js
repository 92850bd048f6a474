// Timers as promises.

const timers = require('timers');

function setTimeout(after, value, options) {
  return wait(options, (resolve) => {
    const timer = timers.setTimeout(resolve, after, value);
    return { timer, cancel: () => timers.clearTimeout(timer) };
  });
}

function setImmediate(value, options) {
  return wait(options, (resolve) => {
    const timer = timers.setImmediate(resolve, value);
    return { timer, cancel: () => timers.clearImmediate(timer) };
  });
}

function wait(options, begin) {
  const checked = check(options);
  if (checked.error) return Promise.reject(checked.error);
  const { signal, ref } = checked;
  if (signal?.aborted) return Promise.reject(abortError(signal));
  return new Promise((resolve, reject) => {
    let onAbort;
    const { timer, cancel } = begin((value) => {
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
  const { error, signal, ref } = check(options);
  if (error) throw error;
  if (signal?.aborted) throw abortError(signal);
  let missed = 0;
  let wake;
  let aborted;
  const interval = timers.setInterval(() => {
    missed++;
    wake?.();
  }, after);
  if (!ref) interval.unref();
  const onAbort = () => {
    timers.clearInterval(interval);
    aborted = abortError(signal);
    wake?.();
  };
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    for (;;) {
      if (missed === 0 && !aborted) await new Promise((resolve) => { wake = resolve; });
      wake = undefined;
      for (; missed > 0; missed--) yield value;
      if (aborted) throw aborted;
    }
  } finally {
    timers.clearInterval(interval);
    signal?.removeEventListener('abort', onAbort);
  }
}

function check(options) {
  const { codes } = require('internal/errors');
  if (options !== undefined && (options === null || typeof options !== 'object')) {
    return { error: new codes.ERR_INVALID_ARG_TYPE('options', 'Object', options) };
  }
  const { signal, ref = true } = options ?? {};
  if (signal !== undefined && (signal === null || typeof signal !== 'object' ||
      !('aborted' in signal))) {
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
