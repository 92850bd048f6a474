// addAbortSignal: a signal that, when it fires, destroys a stream with an AbortError.

const { AbortError, codes } = require('internal/errors');
const { isNodeStream } = require('internal/streams/utils');

function validateSignal(signal, name) {
  if (typeof signal !== 'object' || !('aborted' in signal)) {
    throw new codes.ERR_INVALID_ARG_TYPE(name, 'AbortSignal', signal);
  }
}

function addAbortSignal(signal, stream) {
  validateSignal(signal, 'signal');
  if (!isNodeStream(stream)) {
    throw new codes.ERR_INVALID_ARG_TYPE('stream', ['ReadableStream', 'WritableStream', 'Stream'], stream);
  }
  return attach(signal, stream);
}

function attach(signal, stream) {
  const onAbort = () => stream.destroy(new AbortError(undefined, { cause: signal.reason }));
  if (signal.aborted) {
    onAbort();
  } else {
    signal.addEventListener('abort', onAbort, { once: true });
    require('internal/streams/finished').finished(stream, () => signal.removeEventListener('abort', onAbort));
  }
  return stream;
}

module.exports = { addAbortSignal, validateSignal };
