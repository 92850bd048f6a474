// stream.finished: one callback for whichever comes first of the ways a stream can be over.

const { AbortError, codes } = require('internal/errors');
const { validateAbortSignal, validateBoolean, validateFunction, validateObject } = require('internal/validators');
const {
  isClosed,
  isNodeStream,
  isReadable,
  isReadableErrored,
  isReadableFinished,
  isReadableNodeStream,
  isRequest,
  isWritable,
  isWritableErrored,
  isWritableFinished,
  isWritableNodeStream,
  willEmitClose: willEmitCloseOf,
} = require('internal/streams/utils');

function once(fn) {
  let called = false;
  return function (...args) {
    if (called) return;
    called = true;
    fn.apply(this, args);
  };
}

function finished(stream, options, callback) {
  if (arguments.length === 2) {
    callback = options;
    options = {};
  } else if (options == null) {
    options = {};
  } else {
    validateObject(options, 'options');
  }
  validateFunction(callback, 'callback');
  validateAbortSignal(options.signal, 'options.signal');
  callback = once(callback);
  if (!isNodeStream(stream)) {
    throw new codes.ERR_INVALID_ARG_TYPE('stream', ['ReadableStream', 'WritableStream', 'Stream'], stream);
  }
  return watch(stream, options, callback);
}

function watch(stream, options, callback) {
  const readable = options.readable ?? isReadableNodeStream(stream);
  const writable = options.writable ?? isWritableNodeStream(stream);
  const { _writableState: w, _readableState: r } = stream;

  // 'close' will follow 'end' and 'finish' only if this stream says so, and only then it is waited for.
  let closes =
    willEmitCloseOf(stream) &&
    isReadableNodeStream(stream) === readable &&
    isWritableNodeStream(stream) === writable;
  let writableFinished = isWritableFinished(stream, false);
  let readableFinished = isReadableFinished(stream, false);
  let closed = isClosed(stream);

  function onFinish() {
    writableFinished = true;
    if (stream.destroyed) closes = false;
    if (closes && (!stream.writable || readable)) return;
    if (!readable || readableFinished) callback.call(stream);
  }
  function onEnd() {
    readableFinished = true;
    if (stream.destroyed) closes = false;
    if (closes && (!stream.readable || writable)) return;
    if (!writable || writableFinished) callback.call(stream);
  }
  function onError(err) {
    callback.call(stream, err);
  }
  function reportErrored() {
    const errored = isWritableErrored(stream) || isReadableErrored(stream);
    if (!errored || typeof errored === 'boolean') return false;
    callback.call(stream, errored);
    return true;
  }
  function onClose() {
    closed = true;
    if (reportErrored()) return;
    const readCut =
      readable && !readableFinished && isReadableNodeStream(stream, true) && !isReadableFinished(stream, false);
    const writeCut = writable && !writableFinished && !isWritableFinished(stream, false);
    if (readCut || writeCut) callback.call(stream, new codes.ERR_STREAM_PREMATURE_CLOSE());
    else callback.call(stream);
  }
  function onClosed() {
    closed = true;
    if (!reportErrored()) callback.call(stream);
  }
  function onLegacyFinish() {
    if (!stream.writable) onFinish();
  }
  function onRequest() {
    stream.req.on('finish', onFinish);
  }

  if (isRequest(stream)) {
    stream.on('complete', onFinish);
    if (!closes) stream.on('abort', onClose);
    if (stream.req) onRequest();
    else stream.on('request', onRequest);
  } else if (writable && !w) {
    stream.on('end', onLegacyFinish);
    stream.on('close', onLegacyFinish);
  }
  if (!closes && typeof stream.aborted === 'boolean') stream.on('aborted', onClose);
  stream.on('end', onEnd);
  stream.on('finish', onFinish);
  if (options.error !== false) stream.on('error', onError);
  stream.on('close', onClose);

  if (closed) {
    process.nextTick(onClose);
  } else if (w?.errorEmitted || r?.errorEmitted) {
    if (!closes) process.nextTick(onClosed);
  } else if (!readable && (!closes || isReadable(stream)) && (writableFinished || isWritable(stream) === false)) {
    process.nextTick(onClosed);
  } else if (!writable && (!closes || isWritable(stream)) && (readableFinished || isReadable(stream) === false)) {
    process.nextTick(onClosed);
  } else if (r && stream.req && stream.aborted) {
    process.nextTick(onClosed);
  }

  function cleanup() {
    callback = () => {};
    stream.removeListener('aborted', onClose);
    stream.removeListener('complete', onFinish);
    stream.removeListener('abort', onClose);
    stream.removeListener('request', onRequest);
    if (stream.req) stream.req.removeListener('finish', onFinish);
    stream.removeListener('end', onLegacyFinish);
    stream.removeListener('close', onLegacyFinish);
    stream.removeListener('finish', onFinish);
    stream.removeListener('end', onEnd);
    stream.removeListener('error', onError);
    stream.removeListener('close', onClose);
  }

  const { signal } = options;
  if (signal && !closed) {
    const abort = () => {
      const told = callback;
      cleanup();
      told.call(stream, new AbortError(undefined, { cause: signal.reason }));
    };
    if (signal.aborted) {
      process.nextTick(abort);
    } else {
      signal.addEventListener('abort', abort, { once: true });
      const told = callback;
      callback = once(function (...args) {
        signal.removeEventListener('abort', abort);
        told.apply(this, args);
      });
    }
  }
  return cleanup;
}

// stream/promises' finished.
function finishedPromise(stream, options) {
  let autoCleanup = false;
  if (options?.cleanup !== undefined && options.cleanup !== null) {
    validateBoolean(options.cleanup, 'cleanup');
    autoCleanup = options.cleanup;
  }
  return new Promise((resolve, reject) => {
    const cleanup = finished(stream, options ?? {}, (err) => {
      if (autoCleanup) cleanup();
      if (err) reject(err);
      else resolve();
    });
  });
}

module.exports = { finished, finishedPromise };
