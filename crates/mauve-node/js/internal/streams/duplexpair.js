// stream.duplexPair: two connected duplex streams. Chunks written to one are read from the other.
const Duplex = require('internal/streams/duplex');

class DuplexSide extends Duplex {
  #otherSide = null;
  // The callback of the other side's last write. It runs on the next _read of this side.
  #pendingCallback = null;

  static pair(options) {
    const sides = [new DuplexSide(options), new DuplexSide(options)];
    sides[0].#otherSide = sides[1];
    sides[1].#otherSide = sides[0];
    return sides;
  }

  #receive(chunk, callback) {
    this.push(chunk);
    this.#pendingCallback = callback;
  }

  _read() {
    const callback = this.#pendingCallback;
    this.#pendingCallback = null;
    callback?.();
  }

  _write(chunk, encoding, callback) {
    // push() of an empty chunk does not lead to another _read.
    if (chunk.length === 0) process.nextTick(callback);
    else this.#otherSide.#receive(chunk, callback);
  }

  // The other side is destroyed, too, but without the error.
  _destroy(err, callback) {
    const other = this.#otherSide;
    process.nextTick(() => {
      if (other.destroyed) return;
      if (err) other.destroy();
      else other.push(null);
    });
    callback(err);
  }

  _final(callback) {
    this.#otherSide.on('end', callback);
    this.#otherSide.push(null);
  }
}

module.exports = { duplexPair: (options) => DuplexSide.pair(options) };
