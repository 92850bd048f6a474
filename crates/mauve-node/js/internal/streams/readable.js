// stream.Readable: what programs see of the reading side. The work is done in readable_state.js.

const { AbortError, codes } = require('internal/errors');
const { Stream } = require('internal/streams/legacy');
const { addLife, addMethods, reserve, slots, start, takesAfter } = require('internal/streams/family');
const { adopt } = require('internal/streams/side');
const { ReadableState } = require('internal/streams/readable_state');

const EVENTS = slots('close', 'error', 'data', 'end', 'readable');

function Readable(options) {
  if (!(this instanceof Readable)) return new Readable(options);
  reserve(this, EVENTS);
  this._readableState = new ReadableState(options, this, false);
  adopt(this, options, ['read', 'destroy', 'construct']);
  Stream.call(this, options);
  start(this, options, () => {
    if (this._readableState.needReadable) this._readableState.fillLater();
  });
}
takesAfter(Readable, Stream);
addLife(Readable);

addMethods(Readable, {
  _read() {
    throw new codes.ERR_METHOD_NOT_IMPLEMENTED('_read()');
  },

  push(chunk, encoding) {
    return this._readableState.accept(chunk, encoding, false);
  },

  unshift(chunk, encoding) {
    return this._readableState.accept(chunk, encoding, true);
  },

  read(size) {
    const state = this._readableState;
    if (size === undefined) return state.give(NaN);
    return state.give(Number.isInteger(size) ? size : Number.parseInt(size, 10));
  },

  setEncoding(encoding) {
    this._readableState.decodeWith(encoding);
    return this;
  },

  resume() {
    this._readableState.release();
    return this;
  },

  pause() {
    this._readableState.stop();
    return this;
  },

  isPaused() {
    return this._readableState.held;
  },

  on(event, listener) {
    const result = Stream.prototype.on.call(this, event, listener);
    this._readableState.listenedTo(event);
    return result;
  },

  removeListener(event, listener) {
    const result = Stream.prototype.removeListener.call(this, event, listener);
    this._readableState.listenerGone(event);
    return result;
  },

  removeAllListeners(...events) {
    const result = Stream.prototype.removeAllListeners.apply(this, events);
    // Without a name they have all gone, those of 'readable' among them.
    this._readableState.listenerGone(events[0] === undefined ? 'readable' : events[0]);
    return result;
  },

  iterator(options) {
    if (options !== undefined) require('internal/validators').validateObject(options, 'options');
    return require('internal/streams/iterator').chunksOf(this, options);
  },

  [Symbol.asyncIterator]() {
    return require('internal/streams/iterator').chunksOf(this);
  },

  async [Symbol.asyncDispose ?? Symbol.for('nodejs.asyncDispose')]() {
    const { finished } = require('internal/streams/finished');
    if (!this.destroyed) this.destroy(this.readableEnded ? null : new AbortError());
    const outcome = await new Promise((resolve) => finished(this, resolve));
    if (outcome && outcome.name !== 'AbortError') throw outcome;
  },
});
Readable.prototype.addListener = Readable.prototype.on;
Readable.prototype.off = Readable.prototype.removeListener;

addMethods(Readable, require('internal/streams/pipe'));
require('internal/streams/properties').defineReadable(Readable.prototype);
require('internal/streams/operators').defineOperators(Readable);

Object.assign(Readable, {
  ReadableState,

  _fromList: (amount, state) => state.queue.take(amount),

  from(iterable, options) {
    return require('internal/streams/from').from(Readable, iterable, options);
  },

  // A stream of today over an emitter of old.
  wrap(source, options) {
    const { destroyAny } = require('internal/streams/life');
    const settings = {
      objectMode: source.readableObjectMode ?? source.objectMode ?? true,
      ...options,
      destroy(err, callback) {
        destroyAny(source, err);
        callback(err);
      },
    };
    return new Readable(settings).wrap(source);
  },

  fromWeb: noWebStreams,
  toWeb: noWebStreams,
});

function noWebStreams() {
  throw new codes.ERR_METHOD_NOT_IMPLEMENTED('web streams');
}

module.exports = Readable;
