// Readable.from: a stream over anything that can be iterated.

const { codes } = require('internal/errors');
const { Buffer } = require('buffer');

function from(Readable, iterable, options) {
  // A string or a Buffer is one chunk, not a row of characters.
  if (typeof iterable === 'string' || iterable instanceof Buffer) {
    return new Readable({
      objectMode: true,
      ...options,
      read() {
        this.push(iterable);
        this.push(null);
      },
    });
  }
  let iterator;
  let isAsync;
  if (iterable?.[Symbol.asyncIterator]) {
    isAsync = true;
    iterator = iterable[Symbol.asyncIterator]();
  } else if (iterable?.[Symbol.iterator]) {
    isAsync = false;
    iterator = iterable[Symbol.iterator]();
  } else {
    throw new codes.ERR_INVALID_ARG_TYPE('iterable', ['Iterable'], iterable);
  }

  const readable = new Readable({ objectMode: true, highWaterMark: 1, ...options });
  // Whether next() is running: one value is asked for at a time.
  let reading = false;
  let isAsyncValues = false;

  readable._read = function () {
    if (reading) return;
    reading = true;
    if (isAsync) {
      nextAsync();
    } else if (isAsyncValues) {
      nextSyncWithPromises();
    } else {
      nextSync();
    }
  };

  readable._destroy = function (error, cb) {
    close(error).then(
      () => process.nextTick(cb, error),
      (closeError) => process.nextTick(cb, closeError || error),
    );
  };

  async function close(error) {
    const hadError = error !== undefined && error !== null;
    const hasThrow = typeof iterator.throw === 'function';
    if (hadError && hasThrow) {
      const { value, done } = await iterator.throw(error);
      await value;
      if (done) return;
    }
    if (typeof iterator.return === 'function') {
      const { value } = await iterator.return();
      await value;
    }
  }

  // A plain iterator is drained within one call, until the buffer is full or a promise shows up.
  function nextSync() {
    for (;;) {
      try {
        const { value, done } = iterator.next();
        if (done) {
          readable.push(null);
          return;
        }
        if (value && typeof value.then === 'function') {
          isAsyncValues = true;
          pushPromised(value);
          return;
        }
        if (value === null) {
          reading = false;
          throw new codes.ERR_STREAM_NULL_VALUES();
        }
        if (readable.push(value)) continue;
        reading = false;
      } catch (err) {
        readable.destroy(err);
      }
      return;
    }
  }

  async function pushPromised(promise) {
    try {
      const value = await promise;
      if (value === null) {
        reading = false;
        throw new codes.ERR_STREAM_NULL_VALUES();
      }
      if (readable.push(value)) {
        nextSyncWithPromises();
        return;
      }
      reading = false;
    } catch (err) {
      readable.destroy(err);
    }
  }

  async function nextSyncWithPromises() {
    for (;;) {
      try {
        const { value, done } = iterator.next();
        if (done) {
          readable.push(null);
          return;
        }
        const settled = value && typeof value.then === 'function' ? await value : value;
        if (settled === null) {
          reading = false;
          throw new codes.ERR_STREAM_NULL_VALUES();
        }
        if (readable.push(settled)) continue;
        reading = false;
      } catch (err) {
        readable.destroy(err);
      }
      return;
    }
  }

  async function nextAsync() {
    for (;;) {
      try {
        const { value, done } = await iterator.next();
        if (done) {
          readable.push(null);
          return;
        }
        if (value === null) {
          reading = false;
          throw new codes.ERR_STREAM_NULL_VALUES();
        }
        if (readable.push(value)) continue;
        reading = false;
      } catch (err) {
        readable.destroy(err);
      }
      return;
    }
  }
  return readable;
}

module.exports = { from };
