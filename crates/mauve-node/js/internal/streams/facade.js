// A duplex stream that forwards to inner streams: its writes go to `sink`, its reads come from `source`.
// stream.compose and Duplex.from use it with different inner streams.
const { AbortError } = require('internal/errors');
const Duplex = require('internal/streams/duplex');
const { PendingCallback } = require('internal/streams/callbacks');

class Facade {
  #pending = [];
  #finished = this.#pendingCallback();
  #closed = new PendingCallback();

  // `writable` and `readable` say whether the sink and the source are open; either may be missing.
  constructor({ sink, source, writable, readable }) {
    this.open = { writable, readable };
    this.stream = new Duplex({
      writableObjectMode: Boolean(sink?.writableObjectMode),
      readableObjectMode: Boolean(source?.readableObjectMode),
      writable, readable,
    });
  }

  #pendingCallback(emitter, event) {
    const pending = new PendingCallback(emitter, event);
    this.#pending.push(pending);
    return pending;
  }

  // Forwards writes. The owner calls finish() once the sink has processed all of them.
  forwardWrites(sink) {
    const drained = this.#pendingCallback(sink, 'drain');
    this.stream._write = (chunk, encoding, callback) => {
      if (sink.write(chunk, encoding)) callback();
      else drained.set(callback);
    };
    this.stream._final = (callback) => {
      sink.end();
      this.#finished.set(callback);
    };
  }

  finish() { this.#finished.fire(); }

  forwardReads(source) {
    const { stream } = this;
    const readable = this.#pendingCallback(source, 'readable');
    source.on('end', () => stream.push(null));
    stream._read = () => {
      let chunk;
      while ((chunk = source.read()) !== null) {
        if (!stream.push(chunk)) return;
      }
      readable.set(stream._read);
    };
  }

  // The same for a source that flows, whatever is read from this stream.
  forwardFlow(source) {
    const { stream } = this;
    source.on('data', (chunk) => { if (!stream.push(chunk)) source.pause(); });
    source.on('end', () => stream.push(null));
    stream._read = () => source.resume();
  }

  // Defines _destroy. `isFinished` returns whether onFinished() has been called for the inner streams;
  // `destroyInner` destroys them.
  destroyWith(isFinished, destroyInner) {
    this.stream._destroy = (reason, callback) => {
      const wasFinished = isFinished();
      const err = reason || (wasFinished ? reason : new AbortError());
      for (const pending of this.#pending) pending.clear();
      this.#closed.set(callback);
      destroyInner(err, wasFinished);
      if (wasFinished) this.#closed.fire(err);
    };
  }

  // An inner stream has finished. Without an error the facade ends through its own 'end' and 'finish'.
  onFinished(err) { if (!this.#closed.fire(err) && err) this.stream.destroy(err); }
}

module.exports = { Facade };
