// Questions about streams, answered from the outside: is it one, can it still be read, has it ended?
// They hold for our streams, for old-style emitters, and for HTTP messages that only look like streams.

const kIsDestroyed = Symbol('kIsDestroyed');
const kIsDisturbed = Symbol.for('nodejs.stream.disturbed');
const kIsErrored = Symbol.for('nodejs.stream.errored');
const kIsReadable = Symbol.for('nodejs.stream.readable');
const kIsWritable = Symbol.for('nodejs.stream.writable');
// Set on Duplex.prototype: its two halves are initialised by Readable and Writable.
const kDuplex = Symbol('kDuplex');

const isFunction = (value) => typeof value === 'function';

function isReadableNodeStream(obj, strict = false) {
  return !!(
    obj &&
    isFunction(obj.pipe) &&
    isFunction(obj.on) &&
    (!strict || (isFunction(obj.pause) && isFunction(obj.resume))) &&
    (!obj._writableState || obj._readableState?.readable !== false) &&
    (!obj._writableState || obj._readableState)
  );
}

function isWritableNodeStream(obj) {
  return !!(
    obj &&
    isFunction(obj.write) &&
    isFunction(obj.on) &&
    (!obj._readableState || obj._writableState?.writable !== false)
  );
}

function isDuplexNodeStream(obj) {
  return !!(obj && isFunction(obj.pipe) && obj._readableState && isFunction(obj.on) && isFunction(obj.write));
}

function isNodeStream(obj) {
  return !!(
    obj &&
    (obj._readableState ||
      obj._writableState ||
      (isFunction(obj.write) && isFunction(obj.on)) ||
      (isFunction(obj.pipe) && isFunction(obj.on)))
  );
}

// isAsync: true asks for an async iterable, false for a plain one, nothing for either.
function isIterable(obj, isAsync) {
  if (obj == null) return false;
  if (isAsync === true) return isFunction(obj[Symbol.asyncIterator]);
  if (isAsync === false) return isFunction(obj[Symbol.iterator]);
  return isFunction(obj[Symbol.asyncIterator]) || isFunction(obj[Symbol.iterator]);
}

const stateOf = (stream) => stream._writableState || stream._readableState;

function isDestroyed(stream) {
  if (!isNodeStream(stream)) return null;
  return !!(stream.destroyed || stream[kIsDestroyed] || stateOf(stream)?.destroyed);
}

function isWritableEnded(stream) {
  if (!isWritableNodeStream(stream)) return null;
  if (stream.writableEnded === true) return true;
  const state = stream._writableState;
  if (state?.errored) return false;
  return typeof state?.ended === 'boolean' ? state.ended : null;
}

// strict false counts "ended with nothing left to write" as finished.
function isWritableFinished(stream, strict) {
  if (!isWritableNodeStream(stream)) return null;
  if (stream.writableFinished === true) return true;
  const state = stream._writableState;
  if (state?.errored) return false;
  if (typeof state?.finished !== 'boolean') return null;
  return state.finished || (strict === false && state.ended === true && state.length === 0);
}

function isReadableFinished(stream, strict) {
  if (!isReadableNodeStream(stream)) return null;
  const state = stream._readableState;
  if (state?.errored) return false;
  if (typeof state?.endEmitted !== 'boolean') return null;
  return state.endEmitted || (strict === false && state.ended === true && state.length === 0);
}

function isReadable(stream) {
  if (stream && stream[kIsReadable] != null) return stream[kIsReadable];
  if (typeof stream?.readable !== 'boolean') return null;
  if (isDestroyed(stream)) return false;
  return isReadableNodeStream(stream) && stream.readable && !isReadableFinished(stream);
}

function isWritable(stream) {
  if (stream && stream[kIsWritable] != null) return stream[kIsWritable];
  if (typeof stream?.writable !== 'boolean') return null;
  if (isDestroyed(stream)) return false;
  return isWritableNodeStream(stream) && stream.writable && !isWritableEnded(stream);
}

function isFinished(stream, options) {
  if (!isNodeStream(stream)) return null;
  if (isDestroyed(stream)) return true;
  if (options?.readable !== false && isReadable(stream)) return false;
  if (options?.writable !== false && isWritable(stream)) return false;
  return true;
}

function isWritableErrored(stream) {
  if (!isNodeStream(stream)) return null;
  return stream.writableErrored || (stream._writableState?.errored ?? null);
}

function isReadableErrored(stream) {
  if (!isNodeStream(stream)) return null;
  return stream.readableErrored || (stream._readableState?.errored ?? null);
}

function isClosed(stream) {
  if (!isNodeStream(stream)) return null;
  if (typeof stream.closed === 'boolean') return stream.closed;
  const { _writableState: w, _readableState: r } = stream;
  if (typeof w?.closed === 'boolean' || typeof r?.closed === 'boolean') return w?.closed || r?.closed;
  if (typeof stream._closed === 'boolean' && isOutgoingMessage(stream)) return stream._closed;
  return null;
}

function isOutgoingMessage(stream) {
  return (
    typeof stream._closed === 'boolean' &&
    typeof stream._defaultKeepAlive === 'boolean' &&
    typeof stream._removedConnection === 'boolean' &&
    typeof stream._removedContLen === 'boolean'
  );
}

function isServerResponse(stream) {
  return typeof stream._sent100 === 'boolean' && isOutgoingMessage(stream);
}

function isServerRequest(stream) {
  return (
    typeof stream._consuming === 'boolean' &&
    typeof stream._dumped === 'boolean' &&
    stream.req?.upgradeOrConnect === undefined
  );
}

// A client request: it has a header writer and can be aborted.
function isRequest(stream) {
  return !!(stream && stream.setHeader && isFunction(stream.abort));
}

function willEmitClose(stream) {
  if (!isNodeStream(stream)) return null;
  const state = stateOf(stream);
  if (!state) return isServerResponse(stream);
  return !!(state.autoDestroy && state.emitClose && state.closed === false);
}

function isDisturbed(stream) {
  return !!(stream && (stream[kIsDisturbed] ?? (stream.readableDidRead || stream.readableAborted)));
}

function isErrored(stream) {
  return !!(
    stream &&
    (stream[kIsErrored] ??
      stream.readableErrored ??
      stream.writableErrored ??
      stream._readableState?.errorEmitted ??
      stream._writableState?.errorEmitted ??
      stream._readableState?.errored ??
      stream._writableState?.errored)
  );
}

// The first error stays what is reported; a second one that follows from it is kept beside it.
function aggregateTwoErrors(inner, outer) {
  if (!inner || !outer || inner === outer) return inner || outer;
  if (Array.isArray(outer.errors)) {
    outer.errors.push(inner);
    return outer;
  }
  const error = new AggregateError([outer, inner], outer.message);
  error.code = outer.code;
  return error;
}

module.exports = {
  kDuplex,
  kIsDestroyed,
  kIsDisturbed,
  kIsErrored,
  kIsReadable,
  kIsWritable,
  aggregateTwoErrors,
  isClosed,
  isDestroyed,
  isDisturbed,
  isDuplexNodeStream,
  isErrored,
  isFinished,
  isIterable,
  isNodeStream,
  isReadable,
  isReadableErrored,
  isReadableFinished,
  isReadableNodeStream,
  isRequest,
  isServerRequest,
  isServerResponse,
  isWritable,
  isWritableEnded,
  isWritableErrored,
  isWritableFinished,
  isWritableNodeStream,
  willEmitClose,
};
