// One duplex stream in front of others: what is written to it goes to `inlet`, and what it gives comes
// from `outlet`. stream.compose and Duplex.from only differ in who these are.

const { AbortError } = require('internal/errors');
const Duplex = require('internal/streams/duplex');
const { NextTime } = require('internal/streams/once');

class Facade {
  #waits = [];
  #finished = this.#next();
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

  // finish() is to be called once everything written has gone through.
  feed(inlet) {
    const drained = this.#next(inlet, 'drain');
    this.stream._write = (chunk, encoding, callback) => {
      if (inlet.write(chunk, encoding)) callback();
      else drained.call(callback);
    };
    this.stream._final = (callback) => {
      inlet.end();
      this.#finished.call(callback);
    };
  }

  finish() {
    this.#finished.happen();
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

  // How the facade is torn down. `isOver` says whether there is nothing behind it that over() would still
  // be called for; `destroyBehind` destroys what there is.
  closeWith(isOver, destroyBehind) {
    this.stream._destroy = (reason, callback) => {
      const wasOver = isOver();
      const err = reason || (wasOver ? reason : new AbortError());
      for (const wait of this.#waits) wait.forget();
      this.#closed.call(callback);
      destroyBehind(err, wasOver);
      if (wasOver) this.#closed.happen(err);
    };
  }

  // Something behind has come to its end. The facade ends by itself after that, unless it was an error.
  over(err) {
    if (!this.#closed.happen(err) && err) this.stream.destroy(err);
  }
}

module.exports = { Facade };
