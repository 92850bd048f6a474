// stream.Transform and stream.PassThrough: duplex streams whose output is computed from their input.
const { codes } = require('internal/errors');
const { inherit } = require('internal/streams/constructors');
const { useOptionMethods } = require('internal/streams/state');
const { getHighWaterMark } = require('internal/streams/high_water_mark');
const Duplex = require('internal/streams/duplex');

// The callback of a write whose output has filled the readable side. The next _read calls it.
const kCallback = Symbol('kCallback');

function Transform(options) {
  if (!(this instanceof Transform)) return new Transform(options);
  Duplex.call(this, withHighWaterMarks(options));
  this[kCallback] = null;
  // Output comes from _write, and never from inside _read.
  this._readableState.sync = false;
  useOptionMethods(this, options, ['transform', 'flush']);
  this.on('prefinish', flushOnPrefinish);
}
inherit(Transform, Duplex);

// With a readable mark of zero nothing is buffered for reading. The general mark must not apply to the
// writable side then.
function withHighWaterMarks(options) {
  if (!options) return options;
  const readableMark = getHighWaterMark(options, Boolean(options.readableObjectMode), 'readableHighWaterMark');
  if (readableMark > 0) return options;
  const writableHighWaterMark = options.writableHighWaterMark || 0;
  return { ...options, highWaterMark: null, readableHighWaterMark: 0, writableHighWaterMark };
}

// Calls _flush, pushes its output and the end of the stream, then calls `done`.
function finishOutput(stream, done) {
  if (stream.destroyed || typeof stream._flush !== 'function') {
    stream.push(null);
    done();
    return;
  }
  stream._flush((err, last) => {
    if (!err) {
      if (last !== undefined && last !== null) stream.push(last);
      stream.push(null);
    }
    done(err);
  });
}

function _final(callback) { finishOutput(this, (err) => (err ? callback(err) : callback())); }

// Ends the output if the user has replaced _final.
function flushOnPrefinish() {
  if (this._final === _final) return;
  finishOutput(this, (err) => { if (err) this.destroy(err); });
}

Object.assign(Transform.prototype, {
  _final,

  _transform() { throw new codes.ERR_METHOD_NOT_IMPLEMENTED('_transform()'); },

  _write(chunk, encoding, callback) {
    const output = this._readableState;
    const before = output.length;
    this._transform(chunk, encoding, (err, result) => {
      if (err) {
        callback(err);
        return;
      }
      if (result !== undefined && result !== null) this.push(result);
      // Backpressure: the callback waits if this write has filled the readable side, and the writable
      // side has not ended. After the end of the output, it comes when the stream has seen that end.
      const isFull = output.length !== before && output.length >= output.highWaterMark;
      if (output.ended) process.nextTick(callback);
      else if (isFull && !this._writableState.ended) this[kCallback] = callback;
      else callback();
    });
  },

  _read() {
    const callback = this[kCallback];
    this[kCallback] = null;
    callback?.();
  },
});

function PassThrough(options) {
  if (!(this instanceof PassThrough)) return new PassThrough(options);
  Transform.call(this, options);
}
inherit(PassThrough, Transform);

Object.assign(PassThrough.prototype, {
  _transform(chunk, encoding, callback) { callback(null, chunk); },
});

module.exports = { PassThrough, Transform };
