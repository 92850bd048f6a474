// addAbortSignal: a signal that, when it fires, destroys a stream with an AbortError.

const { AbortError, codes } = require('internal/errors');
const kinds = require('internal/streams/kinds');

function addAbortSignal(signal, stream) {
  if (typeof signal !== 'object' || !('aborted' in signal)) {
    throw new codes.ERR_INVALID_ARG_TYPE('signal', 'AbortSignal', signal);
  }
  requireStream(stream);
  const release = whenAborted(signal, () => stream.destroy(abortErrorOf(signal)));
  if (release) require('internal/streams/finished').finished(stream, release);
  return stream;
}

function requireStream(thing) {
  if (kinds.stream(thing)) return;
  throw new codes.ERR_INVALID_ARG_TYPE('stream', ['ReadableStream', 'WritableStream', 'Stream'], thing);
}

function abortErrorOf(signal) {
  return new AbortError(undefined, { cause: signal?.reason });
}

// Runs `act` at once if the signal has fired already. Otherwise gives back how to stop listening.
function whenAborted(signal, act) {
  if (signal.aborted) {
    act();
    return undefined;
  }
  signal.addEventListener('abort', act, { once: true });
  return () => signal.removeEventListener('abort', act);
}

module.exports = { abortErrorOf, addAbortSignal, requireStream, whenAborted };
