// What modules do with an AbortSignal.
const { AbortError } = require('internal/errors');

function abortError(signal) { return new AbortError(undefined, { cause: signal?.reason }); }
function throwIfAborted(signal) { if (signal?.aborted) throw abortError(signal); }

// Calls `listener` when the signal, if there is one, aborts. Returns a function that removes the listener.
function onAbort(signal, listener) {
  signal?.addEventListener('abort', listener, { once: true });
  return () => signal?.removeEventListener('abort', listener);
}

// Calls `listener` when the signal aborts, until the emitter emits the event; in the next tick if it has aborted.
function onAbortUntil(signal, emitter, event, listener) {
  if (signal.aborted) process.nextTick(listener);
  else emitter.once(event, onAbort(signal, listener));
}

module.exports = { abortError, onAbort, onAbortUntil, throwIfAborted };
