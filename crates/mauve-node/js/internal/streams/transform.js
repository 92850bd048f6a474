// stream.Transform and PassThrough: what is written comes out changed, or as it is.

const { codes } = require('internal/errors');
const { getHighWaterMark } = require('internal/streams/state');
const Duplex = require('internal/streams/duplex');

// The callback of a write whose output has filled the readable side: called when that is read.
const kCallback = Symbol('kCallback');

function Transform(options) {
  if (!(this instanceof Transform)) return new Transform(options);
  // A readable mark of 0 would never let _read be called; a writable one stands in for it.
  const readableHighWaterMark = options
    ? getHighWaterMark({ objectMode: !!options.readableObjectMode }, options, 'readableHighWaterMark', true)
    : null;
  if (readableHighWaterMark === 0) {
    options = {
      ...options,
      highWaterMark: null,
      readableHighWaterMark,
      writableHighWaterMark: options.writableHighWaterMark || 0,
    };
  }
  Duplex.call(this, options);
  // Output is pushed from _write, which is not called from inside _read.
  this._readableState.sync = false;
  this[kCallback] = null;
  if (options) {
    if (typeof options.transform === 'function') this._transform = options.transform;
    if (typeof options.flush === 'function') this._flush = options.flush;
  }
  this.on('prefinish', prefinish);
}
Object.setPrototypeOf(Transform.prototype, Duplex.prototype);
Object.setPrototypeOf(Transform, Duplex);

function final(cb) {
  if (typeof this._flush !== 'function' || this.destroyed) {
    this.push(null);
    if (cb) cb();
    return;
  }
  this._flush((err, data) => {
    if (err) {
      if (cb) cb(err);
      else this.destroy(err);
      return;
    }
    if (data != null) this.push(data);
    this.push(null);
    if (cb) cb();
  });
}

// A subclass with a _final of its own still gets its flush.
function prefinish() {
  if (this._final !== final) final.call(this);
}

Transform.prototype._final = final;

Transform.prototype._transform = function _transform() {
  throw new codes.ERR_METHOD_NOT_IMPLEMENTED('_transform()');
};

Transform.prototype._write = function _write(chunk, encoding, callback) {
  const r = this._readableState;
  const w = this._writableState;
  const before = r.length;
  this._transform(chunk, encoding, (err, value) => {
    if (err) {
      callback(err);
      return;
    }
    if (value != null) this.push(value);
    if (r.ended) {
      // The output has ended early: what is still written goes nowhere.
      callback();
    } else if (w.ended || before === r.length || r.length < r.highWaterMark) {
      callback();
    } else {
      this[kCallback] = callback;
    }
  });
};

Transform.prototype._read = function _read() {
  const callback = this[kCallback];
  if (!callback) return;
  this[kCallback] = null;
  callback();
};

function PassThrough(options) {
  if (!(this instanceof PassThrough)) return new PassThrough(options);
  Transform.call(this, options);
}
Object.setPrototypeOf(PassThrough.prototype, Transform.prototype);
Object.setPrototypeOf(PassThrough, Transform);

PassThrough.prototype._transform = function _transform(chunk, encoding, callback) {
  callback(null, chunk);
};

module.exports = { PassThrough, Transform };
