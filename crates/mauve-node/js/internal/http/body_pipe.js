// pipe() of a message that needs no Readable, to an emitter with the methods of EventEmitter, such as a response. The
// listeners are shared by all pipes.

const { emit, on, once, prependListener, removeListener } = require('events').prototype;
const { addListeners, closesAlone, hasReadAll, kInitialized, kReader, setClosed, startPipe } =
  require('internal/http/incoming');
const { OutgoingMessage } = require('internal/http/outgoing');
const { Pipe } = require('internal/streams/pipe');

const { end, write } = OutgoingMessage.prototype;

// The pipe of a destination.
const kPipe = Symbol('pipe');

const onData = binding('http').createPipeListener(
  function writeData(chunk) { this[kReader].onData(chunk); }, write, kReader, kInitialized);
function onEnd() { this.removeListener('end', onEnd)[kReader].dest.end(); }
function onClose() { this.removeListener('close', onClose)[kPipe].unpipe('finish'); }
function onDrain() { this[kPipe].onDrain(); }
function onError(err) { this[kPipe].onError(err); }

function onUnpipe(from, info) {
  this[kPipe].onUnpipe(from, info);
  if (this[kPipe].isDisconnected) this[kPipe] = null;
}

// Whether a destination has no other listeners than those of its pipe.
function hasOnlyPipe({ _events: events, _eventsCount: count }) {
  return count === 4 && events.finish === onFinish && events.unpipe === onUnpipe && events.error === onError &&
    events.close === onClose;
}

// Fast path: ends the source and the destination. Returns whether no program can notice that the ticks until 'close'
// of the source are omitted.
function endSource(source) {
  const { _events: events } = source;
  const { dest } = this;
  if (source._eventsCount !== 2 || events.end !== onEnd || events.data !== onData || dest.end !== end ||
      !closesAlone(source) || !hasOnlyPipe(dest)) return false;
  source.removeListener('end', onEnd);
  dest.end();
  setClosed(source);
  return true;
}

function onFinish() {
  const { [kPipe]: pipe } = this;
  const { source } = pipe;
  // Fast path: the source has ended.
  if (hasOnlyPipe(this) && source[kReader] === pipe && hasReadAll(source) && source._events.pause === undefined) {
    this._events = { __proto__: null };
    this._eventsCount = 0;
    this[kPipe] = null;
    pipe.isDisconnected = pipe.isUnpiped = true;
    source.removeListener('end', onEnd).removeListener('data', onData);
  } else {
    this.removeListener('finish', onFinish);
    pipe.unpipe('close');
  }
}

const sourceListeners = { end: onEnd, data: onData };
const destListeners = { close: onClose, finish: onFinish, drain: onDrain, error: onError, unpipe: onUnpipe };
const createSourceTable = () => ({ __proto__: null, end: onEnd, data: onData });
const createDestTable = () => ({ __proto__: null, unpipe: onUnpipe, error: onError, close: onClose, finish: onFinish });

// Returns whether the pipe is connected.
function connect(source, dest, options) {
  if (!dest || options?.end === false || dest._isStdio || dest[kPipe] || dest._events?.newListener !== undefined ||
      source._events?.data !== undefined || dest.on !== on || dest.once !== once || dest.emit !== emit ||
      dest.prependListener !== prependListener || dest.removeListener !== removeListener) return false;
  const pipe = dest[kPipe] = new Pipe(source, dest, sourceListeners, destListeners);
  pipe.endSource = endSource;
  addListeners(source, createSourceTable, sourceListeners, 2);
  startPipe(source, pipe);
  if (dest._events === undefined) {
    addListeners(dest, createDestTable, destListeners, 4);
  } else {
    dest.on('unpipe', onUnpipe).prependListener('error', onError).on('close', onClose).on('finish', onFinish);
    dest.emit('pipe', source);
  }
  if (dest.writableNeedDrain === true) pipe.pause();
  return true;
}

module.exports = { connect };
