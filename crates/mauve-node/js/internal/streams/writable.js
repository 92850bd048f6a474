// stream.Writable: the public methods of the writable side. writable_state.js implements them.
const { codes, refuse } = require('internal/errors');
const { Stream } = require('internal/streams/legacy');
const { inherit, initStream, presetEvents } = require('internal/streams/constructors');
const { destroyMethods, errorOrDestroy } = require('internal/streams/destroy');
const { checkedEncoding, useOptionMethods } = require('internal/streams/state');
const { WritableState } = require('internal/streams/writable_state');
const createEvents = () => ({ close: undefined, error: undefined, prefinish: undefined, finish: undefined, drain: undefined });
const inherits = Function.prototype[Symbol.hasInstance];
const METHODS = ['write', 'writev', 'destroy', 'final', 'construct'];

function onConstructed(stream) { stream._writableState.onConstructed(); }

function Writable(options) {
  if (!inherits.call(Writable, this)) return new Writable(options);
  presetEvents(this, createEvents);
  this._writableState = new WritableState(options, this, false);
  useOptionMethods(this, options, METHODS);
  Stream.call(this, options);
  initStream(this, options, onConstructed);
}
inherit(Writable, Stream);
Object.assign(Writable.prototype, destroyMethods);

// A duplex stream inherits from Readable. It is an instance of Writable because of its state.
Object.defineProperty(Writable, Symbol.hasInstance, {
  value(object) { return inherits.call(this, object) || (this === Writable && object?._writableState instanceof WritableState); },
});

// Duplex copies these methods.
const writableMethods = {
  write(chunk, encoding, callback) {
    if (typeof encoding === 'function') [encoding, callback] = [null, encoding];
    return this._writableState.write(chunk, encoding, callback) === true;
  },

  _write(chunk, encoding, callback) {
    if (!this._writev) throw new codes.ERR_METHOD_NOT_IMPLEMENTED('_write()');
    this._writev([{ chunk, encoding }], callback);
  },

  _writev: null,

  cork() { this._writableState.corked++; },

  uncork() {
    const state = this._writableState;
    if (state.corked === 0) return;
    state.corked--;
    if (!state.writing) state.flush();
  },

  setDefaultEncoding(encoding) {
    const name = typeof encoding === 'string' ? encoding.toLowerCase() : encoding;
    this._writableState.defaultEncoding = checkedEncoding(name);
    return this;
  },

  end(chunk, encoding, callback) {
    // The arguments before the callback are optional.
    if (typeof chunk === 'function') [chunk, encoding, callback] = [null, null, chunk];
    else if (typeof encoding === 'function') [encoding, callback] = [null, encoding];
    const state = this._writableState;
    const outcome = chunk === undefined || chunk === null || state.write(chunk, encoding);
    if (state.corked) {
      state.corked = 1;
      this.uncork();
    }
    state.end(outcome instanceof Error ? outcome : null, callback);
    return this;
  },

  destroy(err, callback) {
    const state = this._writableState;
    if (!state.destroyed && state.hasPendingCallbacks) process.nextTick(() => state.errorBuffer());
    return destroyMethods.destroy.call(this, err, callback);
  },
};
Object.assign(Writable.prototype, writableMethods);

Object.assign(Writable.prototype, {
  pipe() { errorOrDestroy(this, new codes.ERR_STREAM_CANNOT_PIPE()); },
});

require('internal/streams/properties').defineWritableProperties(Writable.prototype);

Writable.WritableState = WritableState;
refuse(Writable, 'Writable', ['fromWeb', 'toWeb']);

module.exports = Writable;
