// Checks of a stream's condition through its public properties. They return null if it is unknown.
//
// The checks are the same for both sides of a stream; SIDES has the names of their properties.
const types = require('internal/streams/types');

const SIDES = {
  readable: {
    state: '_readableState',
    hasSide: types.isReadableNodeStream,
    ended: 'endEmitted',
    endedProperty: null,
    erroredProperty: 'readableErrored',
    override: Symbol.for('nodejs.stream.readable'),
  },
  writable: {
    state: '_writableState',
    hasSide: types.isWritableNodeStream,
    ended: 'finished',
    endedProperty: 'writableFinished',
    erroredProperty: 'writableErrored',
    override: Symbol.for('nodejs.stream.writable'),
  },
};
const DISTURBED = Symbol.for('nodejs.stream.disturbed');
const ERRORED = Symbol.for('nodejs.stream.errored');

// Streams without a `destroyed` property that destroyer() has destroyed.
const destroyedStreams = new WeakSet();

// Either state will do for what both sides share.
const anyState = (stream) => stream._writableState || stream._readableState;

function isDestroyed(stream) {
  if (!types.isNodeStream(stream)) return null;
  return Boolean(stream.destroyed || destroyedStreams.has(stream) || anyState(stream)?.destroyed);
}

// Whether 'end' or 'finish' has been emitted. `isDue` also accepts a side that has ended and whose
// buffer is empty, before the event.
function isSideEnded(stream, name, isDue = false) {
  const side = SIDES[name];
  if (!side.hasSide(stream)) return null;
  if (side.endedProperty && stream[side.endedProperty] === true) return true;
  const state = stream[side.state];
  if (state?.errored) return false;
  const ended = state?.[side.ended];
  if (typeof ended !== 'boolean') return null;
  return ended || (isDue && state.ended === true && state.length === 0);
}

// Whether end() has been called.
function isWritableEnded(stream) {
  const state = stream._writableState;
  if (stream.writableEnded === true) return true;
  return !state?.errored && state?.ended === true;
}

// Whether this side can still be read or written.
function isSideOpen(stream, name) {
  const side = SIDES[name];
  const override = stream?.[side.override];
  if (override != null) return override;
  if (typeof stream?.[name] !== 'boolean') return null;
  if (isDestroyed(stream)) return false;
  if (!side.hasSide(stream) || !stream[name]) return false;
  return name === 'readable' ? !isSideEnded(stream, name) : !isWritableEnded(stream);
}

function isReadable(stream) { return isSideOpen(stream, 'readable'); }
function isWritable(stream) { return isSideOpen(stream, 'writable'); }

// The error of this side, or null.
function sideError(stream, name) {
  const { erroredProperty, state } = SIDES[name];
  return stream[erroredProperty] || (stream[state]?.errored ?? null);
}

// Destroyed, or neither readable nor writable any more.
function isFinished(stream) {
  if (!types.isNodeStream(stream)) return false;
  return isDestroyed(stream) || (!isReadable(stream) && !isWritable(stream));
}

function isClosed(stream) {
  if (typeof stream.closed === 'boolean') return stream.closed;
  const states = [stream._writableState?.closed, stream._readableState?.closed];
  const known = states.filter((closed) => typeof closed === 'boolean');
  if (known.length > 0) return known.includes(true);
  return types.isOutgoingMessage(stream) ? stream._closed : null;
}

// Whether the stream destroys itself and emits 'close' after both sides have ended.
function willEmitClose(stream) {
  const state = anyState(stream);
  if (!state) return types.isServerResponse(stream);
  return Boolean(state.autoDestroy && state.emitClose) && state.closed === false;
}

function isDisturbed(stream) {
  if (!stream) return false;
  return Boolean(stream[DISTURBED] ?? (stream.readableDidRead || stream.readableAborted));
}

function isErrored(stream) {
  if (!stream) return false;
  const { _readableState: readableState, _writableState: writableState } = stream;
  const candidates = [
    stream[ERRORED],
    stream.readableErrored,
    stream.writableErrored,
    readableState?.errorEmitted,
    writableState?.errorEmitted,
    readableState?.errored,
    writableState?.errored,
  ];
  // The first that is set decides, even if it is false.
  return Boolean(candidates.find((value) => value != null));
}

// Combines two errors into an AggregateError, so that neither is lost.
function aggregateTwoErrors(first, second) {
  if (!first || !second || first === second) return first || second;
  if (Array.isArray(second.errors)) {
    second.errors.push(first);
    return second;
  }
  return Object.assign(new AggregateError([second, first], second.message), { code: second.code });
}

module.exports = {
  aggregateTwoErrors, destroyedStreams, isClosed, isDestroyed, isDisturbed, isErrored, isFinished, isReadable,
  isSideEnded, isWritable, sideError, willEmitClose,
};
