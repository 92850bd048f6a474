// stream.Readable: the public methods of the readable side. readable_state.js implements them.
const { codes, refuse } = require('internal/errors');
const { Stream } = require('internal/streams/legacy');
const { destroyMethods } = require('internal/streams/destroy');
const { inherit, initStream, presetEvents } = require('internal/streams/constructors');
const { useOptionMethods } = require('internal/streams/state');
const { ReadableState } = require('internal/streams/readable_state');
const createEvents = () => ({ close: undefined, error: undefined, data: undefined, end: undefined, readable: undefined });
const METHODS = ['read', 'destroy', 'construct'];

function onConstructed({ _readableState: state }) { if (state.needReadable) state.maybeReadMore(); }

function Readable(options) {
  if (!(this instanceof Readable)) return new Readable(options);
  presetEvents(this, createEvents);
  this._readableState = new ReadableState(options, this, false);
  useOptionMethods(this, options, METHODS);
  Stream.call(this, options);
  initStream(this, options, onConstructed);
}
inherit(Readable, Stream);
Object.assign(Readable.prototype, destroyMethods);

Object.assign(Readable.prototype, {
  _read() { throw new codes.ERR_METHOD_NOT_IMPLEMENTED('_read()'); },
  push(chunk, encoding) { return this._readableState.addChunk(chunk, encoding, false); },
  unshift(chunk, encoding) { return this._readableState.addChunk(chunk, encoding, true); },

  read(size) {
    const state = this._readableState;
    if (size === undefined) return state.read(NaN);
    return state.read(Number.isInteger(size) ? size : Number.parseInt(size, 10));
  },

  setEncoding(encoding) {
    this._readableState.setEncoding(encoding);
    return this;
  },

  resume() {
    this._readableState.resume();
    return this;
  },

  pause() {
    this._readableState.pause();
    return this;
  },

  isPaused() { return this._readableState.isPaused; },

  on(event, listener) {
    const result = Stream.prototype.on.call(this, event, listener);
    this._readableState.onListenerAdded(event);
    return result;
  },

  removeListener(event, listener) {
    const result = Stream.prototype.removeListener.call(this, event, listener);
    this._readableState.onListenerRemoved(event);
    return result;
  },

  removeAllListeners(...events) {
    const result = Stream.prototype.removeAllListeners.apply(this, events);
    // Without a name, the listeners of 'readable' are removed as well.
    this._readableState.onListenerRemoved(events[0] === undefined ? 'readable' : events[0]);
    return result;
  },

  iterator(options) {
    if (options !== undefined) require('internal/validators').validateObject(options, 'options');
    return require('internal/streams/iterator').createAsyncIterator(this, options);
  },

  [Symbol.asyncIterator]() { return require('internal/streams/iterator').createAsyncIterator(this); },
});
ReadableState.prototype.originalRead = Readable.prototype.read;
Readable.prototype.addListener = Readable.prototype.on;
Readable.prototype.off = Readable.prototype.removeListener;

Object.assign(Readable.prototype, require('internal/streams/pipe').methods);
require('internal/streams/properties').defineReadableProperties(Readable.prototype);
require('internal/streams/operators').defineOperators(Readable);

Object.assign(Readable, {
  ReadableState,

  _fromList: (amount, state) => state.queue.take(amount),

  from(iterable, options) { return require('internal/streams/from').from(Readable, iterable, options); },

  // A Readable that reads from an old-style stream.
  wrap(source, options) {
    const { destroyer } = require('internal/streams/destroy');
    const settings = {
      objectMode: source.readableObjectMode ?? source.objectMode ?? true,
      ...options,
      destroy(err, callback) {
        destroyer(source, err);
        callback(err);
      },
    };
    return new Readable(settings).wrap(source);
  },
});
refuse(Readable, 'Readable', ['fromWeb', 'toWeb']);

module.exports = Readable;
