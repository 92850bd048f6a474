// How is a stream doing? Questions asked from the outside. null means that it cannot be told.
//
// The two sides of a stream answer alike; SIDES says under which names.

const kinds = require('internal/streams/kinds');

const SIDES = {
  readable: {
    state: '_readableState',
    looks: kinds.reader,
    over: 'endEmitted',
    overProperty: null,
    failedProperty: 'readableErrored',
    override: Symbol.for('nodejs.stream.readable'),
  },
  writable: {
    state: '_writableState',
    looks: kinds.writer,
    over: 'finished',
    overProperty: 'writableFinished',
    failedProperty: 'writableErrored',
    override: Symbol.for('nodejs.stream.writable'),
  },
};
const DISTURBED = Symbol.for('nodejs.stream.disturbed');
const ERRORED = Symbol.for('nodejs.stream.errored');

// Things without a `destroyed` of their own that have been destroyed all the same.
const struckDown = new WeakSet();

// The state that speaks for the whole stream.
const speaker = (stream) => stream._writableState || stream._readableState;

function isDestroyed(stream) {
  if (!kinds.stream(stream)) return null;
  return Boolean(stream.destroyed || struckDown.has(stream) || speaker(stream)?.destroyed);
}

// Has this side come to its proper end? `nearly` also counts a side that has ended and is empty, though
// the event is still to come.
function sideOver(stream, name, nearly = false) {
  const side = SIDES[name];
  if (!side.looks(stream)) return null;
  if (side.overProperty && stream[side.overProperty] === true) return true;
  const state = stream[side.state];
  if (state?.errored) return false;
  const over = state?.[side.over];
  if (typeof over !== 'boolean') return null;
  return over || (nearly && state.ended === true && state.length === 0);
}

// Has end() been called?
function endCalled(stream) {
  const state = stream._writableState;
  if (stream.writableEnded === true) return true;
  return !state?.errored && state?.ended === true;
}

// Can this side still be used?
function sideOpen(stream, name) {
  const side = SIDES[name];
  const said = stream?.[side.override];
  if (said != null) return said;
  if (typeof stream?.[name] !== 'boolean') return null;
  if (isDestroyed(stream)) return false;
  if (!side.looks(stream) || !stream[name]) return false;
  return name === 'readable' ? !sideOver(stream, name) : !endCalled(stream);
}

function isReadable(stream) {
  return sideOpen(stream, 'readable');
}

function isWritable(stream) {
  return sideOpen(stream, 'writable');
}

// What this side has failed with, if it has.
function sideFailure(stream, name) {
  const { failedProperty, state } = SIDES[name];
  return stream[failedProperty] || (stream[state]?.errored ?? null);
}

// Destroyed, or of no more use on any side.
function isSpent(stream) {
  if (!kinds.stream(stream)) return false;
  return isDestroyed(stream) || (!isReadable(stream) && !isWritable(stream));
}

function isClosed(stream) {
  if (typeof stream.closed === 'boolean') return stream.closed;
  const said = [stream._writableState?.closed, stream._readableState?.closed].filter((is) => typeof is === 'boolean');
  if (said.length > 0) return said.includes(true);
  return kinds.outgoingMessage(stream) ? stream._closed : null;
}

// Will 'close' follow by itself once everything has ended?
function willClose(stream) {
  const state = speaker(stream);
  if (!state) return kinds.serverResponse(stream);
  return Boolean(state.autoDestroy && state.emitClose) && state.closed === false;
}

function isDisturbed(stream) {
  if (!stream) return false;
  return Boolean(stream[DISTURBED] ?? (stream.readableDidRead || stream.readableAborted));
}

function isErrored(stream) {
  if (!stream) return false;
  const { _readableState: reading, _writableState: writing } = stream;
  const candidates = [
    stream[ERRORED],
    stream.readableErrored,
    stream.writableErrored,
    reading?.errorEmitted,
    writing?.errorEmitted,
    reading?.errored,
    writing?.errored,
  ];
  // The first that says anything decides, even if it says no.
  return Boolean(candidates.find((said) => said != null));
}

// A second error that follows from the first goes beside it, so that neither is lost.
function joinErrors(first, second) {
  if (!first || !second || first === second) return first || second;
  if (Array.isArray(second.errors)) {
    second.errors.push(first);
    return second;
  }
  return Object.assign(new AggregateError([second, first], second.message), { code: second.code });
}

module.exports = {
  isClosed,
  isDestroyed,
  isDisturbed,
  isErrored,
  isReadable,
  isSpent,
  isWritable,
  joinErrors,
  sideFailure,
  sideOver,
  struckDown,
  willClose,
};
