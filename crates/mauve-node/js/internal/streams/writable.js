// stream.Writable: what programs see of the writing side. The work is done in writable_state.js.

const { codes } = require('internal/errors');
const { Stream } = require('internal/streams/legacy');
const { addLife, addMethods, reserve, slots, start, takesAfter } = require('internal/streams/family');
const { fail, lifeMethods } = require('internal/streams/life');
const { adopt, knownEncoding } = require('internal/streams/side');
const { WritableState } = require('internal/streams/writable_state');

const EVENTS = slots('close', 'error', 'prefinish', 'finish', 'drain');
const inherits = Function.prototype[Symbol.hasInstance];

function Writable(options) {
  if (!inherits.call(Writable, this)) return new Writable(options);
  reserve(this, EVENTS);
  this._writableState = new WritableState(options, this, false);
  adopt(this, options, ['write', 'writev', 'destroy', 'final', 'construct']);
  Stream.call(this, options);
  start(this, options, () => this._writableState.whenReady());
}
takesAfter(Writable, Stream);
addLife(Writable);

// A duplex stream inherits from Readable and is a Writable by its state.
Object.defineProperty(Writable, Symbol.hasInstance, {
  value(object) {
    return inherits.call(this, object) || (this === Writable && object?._writableState instanceof WritableState);
  },
});

// These work on whatever has a writing side, so a duplex stream gets them too.
const writing = {
  write(chunk, encoding, callback) {
    const isShort = typeof encoding === 'function';
    return this._writableState.write(chunk, isShort ? null : encoding, isShort ? encoding : callback) === true;
  },

  _write(chunk, encoding, callback) {
    if (!this._writev) throw new codes.ERR_METHOD_NOT_IMPLEMENTED('_write()');
    this._writev([{ chunk, encoding }], callback);
  },

  _writev: null,

  cork() {
    this._writableState.corked++;
  },

  uncork() {
    const state = this._writableState;
    if (state.corked === 0) return;
    state.corked--;
    if (!state.writing) state.flush();
  },

  setDefaultEncoding(encoding) {
    const name = typeof encoding === 'string' ? encoding.toLowerCase() : encoding;
    this._writableState.defaultEncoding = knownEncoding(name);
    return this;
  },

  end(chunk, encoding, callback) {
    // What comes before the callback may be left out.
    if (typeof chunk === 'function') [chunk, encoding, callback] = [null, null, chunk];
    else if (typeof encoding === 'function') [encoding, callback] = [null, encoding];
    const state = this._writableState;
    const outcome = chunk === undefined || chunk === null || state.write(chunk, encoding);
    if (state.corked) {
      state.corked = 1;
      this.uncork();
    }
    state.close(outcome instanceof Error ? outcome : null, callback);
    return this;
  },

  destroy(err, callback) {
    const state = this._writableState;
    if (!state.destroyed && state.hasWaiting) process.nextTick(() => state.giveUp());
    return lifeMethods.destroy.call(this, err, callback);
  },
};
addMethods(Writable, writing);

addMethods(Writable, {
  pipe() {
    fail(this, new codes.ERR_STREAM_CANNOT_PIPE());
  },
});

require('internal/streams/properties').defineWritable(Writable.prototype);

Object.assign(Writable, { WritableState, fromWeb: noWebStreams, toWeb: noWebStreams });

function noWebStreams() {
  throw new codes.ERR_METHOD_NOT_IMPLEMENTED('web streams');
}

module.exports = Writable;
