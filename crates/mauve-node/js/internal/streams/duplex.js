// stream.Duplex: a stream that is read and written, with a state for each and one life for both.

const { Stream } = require('internal/streams/legacy');
const { addMethods, reserve, slots, start, takesAfter } = require('internal/streams/family');
const { adopt } = require('internal/streams/side');
const { ReadableState } = require('internal/streams/readable_state');
const { WritableState } = require('internal/streams/writable_state');
const Readable = require('internal/streams/readable');
const Writable = require('internal/streams/writable');

const EVENTS = slots('close', 'error', 'prefinish', 'finish', 'drain', 'data', 'end', 'readable');
const METHODS = ['read', 'write', 'writev', 'destroy', 'final', 'construct'];

function Duplex(options) {
  if (!(this instanceof Duplex)) return new Duplex(options);
  reserve(this, EVENTS);
  this.allowHalfOpen = options?.allowHalfOpen !== false;
  this._readableState = new ReadableState(options, this, true);
  this._writableState = new WritableState(options, this, true);
  adopt(this, options, METHODS);
  Stream.call(this, options);
  if (options?.readable === false) this._readableState.switchOff();
  if (options?.writable === false) this._writableState.switchOff();
  start(this, options, () => {
    const { needReadable, ended } = this._readableState;
    if (needReadable && !ended) this.read(0);
    this._writableState.whenReady();
  });
}
takesAfter(Duplex, Readable);

// The writing half is borrowed, for an object can inherit only once.
for (const name of ['write', 'cork', 'uncork', 'setDefaultEncoding', '_write', '_writev', 'end', 'destroy']) {
  addMethods(Duplex, { [name]: Writable.prototype[name] });
}
require('internal/streams/properties').defineDuplex(Duplex.prototype);

Object.assign(Duplex, {
  fromWeb: Readable.fromWeb,
  toWeb: Readable.toWeb,

  from(body) {
    return require('internal/streams/duplexify').duplexFrom(body, 'body');
  },
});

module.exports = Duplex;
