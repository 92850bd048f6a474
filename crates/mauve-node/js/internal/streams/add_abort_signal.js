// addAbortSignal: destroys a stream with an AbortError when a signal aborts.

const { AbortError, codes } = require('internal/errors');
const types = require('internal/streams/types');

function addAbortSignal(signal, stream) {
  if (typeof signal !== 'object' || !('aborted' in signal)) {
    throw new codes.ERR_INVALID_ARG_TYPE('signal', 'AbortSignal', signal);
  }
  validateStream(stream);
  const release = onAbort(signal, () => stream.destroy(abortError(signal)));
  if (release) require('internal/streams/finished').finished(stream, release);
  return stream;
}

function validateStream(thing) {
  if (types.isNodeStream(thing)) return;
  throw new codes.ERR_INVALID_ARG_TYPE('stream', ['ReadableStream', 'WritableStream', 'Stream'], thing);
}

function abortError(signal) {
  return new AbortError(undefined, { cause: signal?.reason });
}

// Calls `act` now if the signal has aborted. Otherwise returns a function that removes the listener.
function onAbort(signal, act) {
  if (signal.aborted) {
    act();
    return undefined;
  }
  signal.addEventListener('abort', act, { once: true });
  return () => signal.removeEventListener('abort', act);
}

module.exports = { abortError, addAbortSignal, onAbort, validateStream };
