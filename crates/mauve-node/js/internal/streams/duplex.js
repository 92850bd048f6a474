// stream.Duplex: a readable and writable stream, with a state for each side and one lifecycle for both.
const { Stream } = require('internal/streams/legacy');
const { inherit, initStream, presetEvents } = require('internal/streams/constructors');
const { useOptionMethods } = require('internal/streams/state');
const { ReadableState } = require('internal/streams/readable_state');
const { WritableState } = require('internal/streams/writable_state');
const Readable = require('internal/streams/readable');
const Writable = require('internal/streams/writable');

const createEvents = () => ({
  close: undefined, error: undefined, prefinish: undefined, finish: undefined, drain: undefined,
  data: undefined, end: undefined, readable: undefined,
});
const METHODS = ['read', 'write', 'writev', 'destroy', 'final', 'construct'];

function onConstructed(stream) {
  const { needReadable, ended } = stream._readableState;
  if (needReadable && !ended) stream.read(0);
  stream._writableState.onConstructed();
}

function Duplex(options) {
  if (!(this instanceof Duplex)) return new Duplex(options);
  presetEvents(this, createEvents);
  this.allowHalfOpen = options?.allowHalfOpen !== false;
  this._readableState = new ReadableState(options, this, true);
  this._writableState = new WritableState(options, this, true);
  useOptionMethods(this, options, METHODS);
  Stream.call(this, options);
  if (options?.readable === false) this._readableState.disable();
  if (options?.writable === false) this._writableState.disable();
  initStream(this, options, onConstructed);
}
inherit(Duplex, Readable);

// Duplex inherits from Readable, so the methods of Writable are copied.
for (const name of ['write', 'cork', 'uncork', 'setDefaultEncoding', '_write', '_writev', 'end', 'destroy']) {
  Object.assign(Duplex.prototype, { [name]: Writable.prototype[name] });
}
require('internal/streams/properties').defineDuplexProperties(Duplex.prototype);

Duplex.from = function from(body) { return require('internal/streams/duplexify').duplexFrom(body, 'body'); };
require('internal/errors').refuse(Duplex, 'Duplex', ['fromWeb', 'toWeb']);

module.exports = Duplex;
