// stream.Transform and PassThrough: what is written comes out changed, or as it is.

const { codes } = require('internal/errors');
const { addMethods, takesAfter } = require('internal/streams/family');
const { adopt } = require('internal/streams/side');
const { chosenMark } = require('internal/streams/marks');
const Duplex = require('internal/streams/duplex');

// Under this name a stream keeps the answer to a write whose output has filled the reading side. It is
// given when the output is asked for.
const owedAnswer = Symbol('owed answer');

function Transform(options) {
  if (!(this instanceof Transform)) return new Transform(options);
  Duplex.call(this, marksFor(options));
  this[owedAnswer] = null;
  // Output comes from _write, and never from inside _read.
  this._readableState.sync = false;
  adopt(this, options, ['transform', 'flush']);
  this.on('prefinish', flushBeside);
}
takesAfter(Transform, Duplex);

// With a reading mark of zero nothing is read ahead; then the general mark must not let writing run
// ahead in its place.
function marksFor(options) {
  if (!options) return options;
  const readingMark = chosenMark(options, Boolean(options.readableObjectMode), 'readableHighWaterMark');
  if (readingMark > 0) return options;
  const writableHighWaterMark = options.writableHighWaterMark || 0;
  return { ...options, highWaterMark: null, readableHighWaterMark: 0, writableHighWaterMark };
}

// The last output, then the end of it. `answer` is told of the outcome.
function finishOutput(stream, answer) {
  if (stream.destroyed || typeof stream._flush !== 'function') {
    stream.push(null);
    answer();
    return;
  }
  stream._flush((err, last) => {
    if (!err) {
      if (last !== undefined && last !== null) stream.push(last);
      stream.push(null);
    }
    answer(err);
  });
}

function _final(callback) {
  finishOutput(this, (err) => (err ? callback(err) : callback()));
}

// A _final of the program's own has taken the place of ours, and the output must end all the same.
function flushBeside() {
  if (this._final === _final) return;
  finishOutput(this, (err) => {
    if (err) this.destroy(err);
  });
}

addMethods(Transform, {
  _final,

  _transform() {
    throw new codes.ERR_METHOD_NOT_IMPLEMENTED('_transform()');
  },

  _write(chunk, encoding, answer) {
    const output = this._readableState;
    const before = output.length;
    this._transform(chunk, encoding, (err, result) => {
      if (err) {
        answer(err);
        return;
      }
      if (result !== undefined && result !== null) this.push(result);
      // An output that has ended, or an input that has, makes nobody wait; nor does a write without
      // output, or one that leaves room for more.
      const isFull = output.length !== before && output.length >= output.highWaterMark;
      if (isFull && !output.ended && !this._writableState.ended) this[owedAnswer] = answer;
      else answer();
    });
  },

  _read() {
    const answer = this[owedAnswer];
    this[owedAnswer] = null;
    answer?.();
  },
});

function PassThrough(options) {
  if (!(this instanceof PassThrough)) return new PassThrough(options);
  Transform.call(this, options);
}
takesAfter(PassThrough, Transform);

addMethods(PassThrough, {
  _transform(chunk, encoding, answer) {
    answer(null, chunk);
  },
});

module.exports = { PassThrough, Transform };
