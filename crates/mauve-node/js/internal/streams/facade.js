// One duplex stream in front of others: what is written to it goes to `inlet`, and what it gives comes
// from `outlet`. stream.compose and Duplex.from only differ in who these are.

const { AbortError } = require('internal/errors');
const Duplex = require('internal/streams/duplex');
const { NextTime } = require('internal/streams/once');

class Facade {
  #waits = [];
  #closed = new NextTime();

  // Either of the two may be missing, and what is not open now is treated as if it were.
  constructor({ inlet, outlet, writable, readable }) {
    this.open = { writable, readable };
    this.stream = new Duplex({
      writableObjectMode: Boolean(inlet?.writableObjectMode),
      readableObjectMode: Boolean(outlet?.readableObjectMode),
      writable,
      readable,
    });
  }

  #next(emitter, event) {
    const wait = new NextTime(emitter, event);
    this.#waits.push(wait);
    return wait;
  }

  // `last` is the stream whose 'finish' says that everything written has gone through.
  feed(inlet, last) {
    const drained = this.#next(inlet, 'drain');
    const finished = this.#next(last, 'finish');
    this.stream._write = (chunk, encoding, callback) => {
      if (inlet.write(chunk, encoding)) callback();
      else drained.call(callback);
    };
    this.stream._final = (callback) => {
      inlet.end();
      finished.call(callback);
    };
  }

  draw(outlet) {
    const { stream } = this;
    const readable = this.#next(outlet, 'readable');
    outlet.on('end', () => stream.push(null));
    stream._read = () => {
      let chunk;
      while ((chunk = outlet.read()) !== null) {
        if (!stream.push(chunk)) return;
      }
      readable.call(stream._read);
    };
  }

  // How the facade is torn down: `isOver` says whether there is anything left to destroy behind it,
  // `destroyBehind` does so, and over() is called when that is done.
  closeWith(isOver, destroyBehind) {
    this.stream._destroy = (reason, callback) => {
      const err = reason || (this.#closed.awaited ? new AbortError() : reason);
      for (const wait of this.#waits) wait.forget();
      if (isOver()) {
        callback(err);
        return;
      }
      this.#closed.call(callback);
      destroyBehind(err);
    };
  }

  // Something behind has come to its end.
  over(err) {
    if (this.#closed.happen(err)) return;
    if (err) this.stream.destroy(err);
    else if (!this.open.readable && !this.open.writable) this.stream.destroy();
  }
}

module.exports = { Facade };
