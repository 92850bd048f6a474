// Readable.from: a stream over anything that can be iterated.

const { codes } = require('internal/errors');
const { Buffer } = require('buffer');
const kinds = require('internal/streams/kinds');

// A source over an iterator, which is asked for one value at a time.
class IteratorSource {
  #iterator;
  #isAsync;
  #running = false;

  constructor(iterable) {
    this.#isAsync = Boolean(iterable?.[Symbol.asyncIterator]);
    if (!this.#isAsync && !iterable?.[Symbol.iterator]) {
      throw new codes.ERR_INVALID_ARG_TYPE('iterable', ['Iterable'], iterable);
    }
    this.#iterator = this.#isAsync ? iterable[Symbol.asyncIterator]() : iterable[Symbol.iterator]();
  }

  feed(stream) {
    if (this.#running) return;
    this.#running = true;
    this.#pull(stream);
  }

  // Goes on until the stream is full. As long as neither the iterator nor its values are asynchronous,
  // nothing here waits, so that all of it happens within one call.
  async #pull(stream) {
    try {
      while (this.#running) {
        const { value, done } = this.#isAsync ? await this.#iterator.next() : this.#iterator.next();
        if (done) {
          stream.push(null);
          return;
        }
        const chunk = !this.#isAsync && kinds.thenable(value) ? await value : value;
        this.#running = chunk !== null && stream.push(chunk);
        if (chunk === null) throw new codes.ERR_STREAM_NULL_VALUES();
      }
    } catch (err) {
      stream.destroy(err);
    }
  }

  // Lets the iterator clean up: it is told of an error, and unless that was the end of it, to return.
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

// A string or a Buffer is one chunk, and not a row of characters or bytes.
function ofOne(Class, chunk, options) {
  const read = function () {
    this.push(chunk);
    this.push(null);
  };
  return new Class({ objectMode: true, ...options, read });
}

function from(Class, iterable, options) {
  if (typeof iterable === 'string' || iterable instanceof Buffer) return ofOne(Class, iterable, options);
  const source = new IteratorSource(iterable);
  const stream = new Class({ objectMode: true, highWaterMark: 1, ...options });
  stream._read = () => source.feed(stream);
  stream._destroy = (err, callback) => {
    source.close(err).then(
      () => process.nextTick(callback, err),
      (second) => process.nextTick(callback, second || err),
    );
  };
  return stream;
}

module.exports = { from };
