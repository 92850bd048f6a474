// Readable.from: a stream of the values of an iterable.
const { codes } = require('internal/errors');
const { Buffer } = require('buffer');
const types = require('internal/streams/types');

// Pulls values from an iterator, one at a time, and pushes them into a stream.
class IteratorSource {
  #iterator;
  #isAsync;
  #running = false;

  constructor(iterable) {
    this.#isAsync = Boolean(iterable?.[Symbol.asyncIterator]);
    if (!this.#isAsync && !iterable?.[Symbol.iterator]) throw new codes.ERR_INVALID_ARG_TYPE('iterable', ['Iterable'], iterable);
    this.#iterator = this.#isAsync ? iterable[Symbol.asyncIterator]() : iterable[Symbol.iterator]();
  }

  start(stream) {
    if (this.#running) return;
    this.#running = true;
    this.#pull(stream);
  }

  // Pushes until the stream is full. For a sync iterator without promises there is no await, so all of it
  // happens within one call.
  async #pull(stream) {
    try {
      while (this.#running) {
        const { value, done } = this.#isAsync ? await this.#iterator.next() : this.#iterator.next();
        if (done) {
          stream.push(null);
          return;
        }
        const chunk = !this.#isAsync && types.isThenable(value) ? await value : value;
        this.#running = chunk !== null && stream.push(chunk);
        if (chunk === null) throw new codes.ERR_STREAM_NULL_VALUES();
      }
    } catch (err) {
      stream.destroy(err);
    }
  }

  // Calls throw() of the iterator for an error, and return() unless that has ended it.
  async close(err) {
    const iterator = this.#iterator;
    if (err != null && typeof iterator.throw === 'function') {
      const { value, done } = await iterator.throw(err);
      await value;
      if (done) return;
    }
    if (typeof iterator.return !== 'function') return;
    const { value } = await iterator.return();
    await value;
  }
}

// A string or a Buffer is one chunk, not a sequence of characters or bytes.
function fromChunk(Class, chunk, options) {
  const read = function () {
    this.push(chunk);
    this.push(null);
  };
  return new Class({ objectMode: true, ...options, read });
}

function from(Class, iterable, options) {
  if (typeof iterable === 'string' || iterable instanceof Buffer) return fromChunk(Class, iterable, options);
  const source = new IteratorSource(iterable);
  const stream = new Class({ objectMode: true, highWaterMark: 1, ...options });
  stream._read = () => source.start(stream);
  const destroyOwner = options?.destroy ?? ((err, callback) => callback(err));
  stream._destroy = (reason, callback) => {
    Reflect.apply(destroyOwner, stream, [reason, (failure) => {
      const err = failure || reason;
      source.close(err).then(() => process.nextTick(callback, err), (second) => process.nextTick(callback, second || err));
    }]);
  };
  return stream;
}

module.exports = { from };
