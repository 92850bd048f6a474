// addAbortSignal: destroys a stream with an AbortError when a signal aborts.
const { abortError, onAbort } = require('internal/abort');
const { codes } = require('internal/errors');
const types = require('internal/streams/types');

function addAbortSignal(signal, stream) {
  if (typeof signal !== 'object' || !('aborted' in signal)) throw new codes.ERR_INVALID_ARG_TYPE('signal', 'AbortSignal', signal);
  validateStream(stream);
  const abort = () => stream.destroy(abortError(signal));
  if (signal.aborted) abort();
  else require('internal/streams/finished').finished(stream, onAbort(signal, abort));
  return stream;
}

function validateStream(thing) {
  if (types.isNodeStream(thing)) return;
  throw new codes.ERR_INVALID_ARG_TYPE('stream', ['ReadableStream', 'WritableStream', 'Stream'], thing);
}

module.exports = { addAbortSignal, validateStream };
