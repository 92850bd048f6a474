// Streams as async iterables: `for await (const chunk of readable)`.
const { codes } = require('internal/errors');
const types = require('internal/streams/types');
const { destroyer } = require('internal/streams/destroy');
const { finished } = require('internal/streams/finished');
const { aggregateTwoErrors, isWritable } = require('internal/streams/utils');
const { PendingCallback } = require('internal/streams/callbacks');

function createAsyncIterator(stream, options) {
  let readable = stream;
  if (typeof stream.read !== 'function') readable = require('internal/streams/readable').wrap(stream, { objectMode: true });
  const iterator = iterate(readable, options?.destroyOnReturn !== false);
  iterator.stream = readable;
  return iterator;
}

async function* iterate(stream, destroysOnReturn) {
  const progress = new PendingCallback();
  const onReadable = () => progress.fire();
  let isDone = false;
  let error = null;
  stream.on('readable', onReadable);
  const unwatch = finished(stream, { writable: false }, (err) => {
    isDone = true;
    error = err ? aggregateTwoErrors(error, err) : null;
    progress.fire();
  });
  try {
    for (;;) {
      const chunk = stream.destroyed ? null : stream.read();
      if (chunk !== null) yield chunk;
      else if (error) throw error;
      else if (isDone) return;
      else await new Promise((resolve) => progress.set(resolve));
    }
  } catch (err) {
    error = aggregateTwoErrors(error, err);
    throw error;
  } finally {
    const isOpen = !isDone && !error;
    // A duplex stream that has ended may still be written.
    const isHalfOpen = isDone && !error && isWritable(stream);
    if (!isHalfOpen && (error || destroysOnReturn) &&
        (isOpen || stream._readableState.autoDestroy)) {
      destroyer(stream, null);
    } else {
      stream.off('readable', onReadable);
      unwatch();
    }
  }
}

// The argument of a function in a pipeline: an iterable of the output of the previous step.
async function* iterateLater(source) { yield* createAsyncIterator(source); }

function makeAsyncIterable(source) {
  if (types.isIterable(source)) return source;
  if (types.isReadableNodeStream(source)) return iterateLater(source);
  throw new codes.ERR_INVALID_ARG_TYPE('val', ['Readable', 'Iterable', 'AsyncIterable'], source);
}

module.exports = { createAsyncIterator, makeAsyncIterable };
