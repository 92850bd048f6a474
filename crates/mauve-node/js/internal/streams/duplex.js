// stream.Duplex: a Readable and a Writable in one object, each with a state of its own.

const { kDuplex } = require('internal/streams/utils');
const { construct } = require('internal/streams/destroy');
const { addAbortSignal } = require('internal/streams/add_abort_signal');
const Readable = require('internal/streams/readable');
const Writable = require('internal/streams/writable');

function Duplex(options) {
  if (!(this instanceof Duplex)) return new Duplex(options);
  this._events ??= {
    close: undefined,
    error: undefined,
    prefinish: undefined,
    finish: undefined,
    drain: undefined,
    data: undefined,
    end: undefined,
    readable: undefined,
  };
  this.allowHalfOpen = options?.allowHalfOpen !== false;
  Readable.call(this, options);
  Writable.call(this, options);
  if (options?.readable === false) {
    Object.assign(this._readableState, { readable: false, ended: true, endEmitted: true });
  }
  if (options?.writable === false) {
    Object.assign(this._writableState, { writable: false, ending: true, ended: true, finished: true });
  }
  construct(this, () => {
    const r = this._readableState;
    if (r.needReadable && !r.ended) this.read(0);
    Writable.whenConstructed(this);
  });
  if (options?.signal) addAbortSignal(options.signal, this);
}
Object.setPrototypeOf(Duplex.prototype, Readable.prototype);
Object.setPrototypeOf(Duplex, Readable);
Duplex.prototype[kDuplex] = true;

const borrowed = ['write', 'cork', 'uncork', 'setDefaultEncoding', '_write', '_writev', 'end', 'destroy'];
for (const name of borrowed) Duplex.prototype[name] = Writable.prototype[name];

require('internal/streams/properties').defineDuplex(Duplex.prototype);

Duplex.fromWeb = Readable.fromWeb;
Duplex.toWeb = Readable.toWeb;
Duplex.from = function from(body) {
  return require('internal/streams/duplexify').duplexify(body, 'body');
};

module.exports = Duplex;
