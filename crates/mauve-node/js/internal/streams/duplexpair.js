// stream.duplexPair: two duplex streams, each reading what the other writes.

const { codes } = require('internal/errors');
const Duplex = require('internal/streams/duplex');

const kOther = Symbol('kOther');
const kCallback = Symbol('kCallback');

class DuplexSide extends Duplex {
  constructor(options) {
    super(options);
    this[kOther] = null;
    this[kCallback] = null;
  }

  link(other) {
    if (this[kOther]) throw new codes.ERR_INTERNAL_ASSERTION('a side is linked once');
    this[kOther] = other;
  }

  _read() {
    const callback = this[kCallback];
    if (!callback) return;
    this[kCallback] = null;
    callback();
  }

  _write(chunk, encoding, callback) {
    if (chunk.length === 0) {
      process.nextTick(callback);
      return;
    }
    this[kOther].push(chunk);
    this[kOther][kCallback] = callback;
  }

  _final(callback) {
    this[kOther].on('end', callback);
    this[kOther].push(null);
  }
}

function duplexPair(options) {
  const side0 = new DuplexSide(options);
  const side1 = new DuplexSide(options);
  side0.link(side1);
  side1.link(side0);
  return [side0, side1];
}

module.exports = { duplexPair };
