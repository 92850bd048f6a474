// for await (const chunk of readable).

const { destroyer } = require('internal/streams/destroy');
const { finished } = require('internal/streams/finished');
const { aggregateTwoErrors } = require('internal/streams/utils');

function toAsyncIterator(stream, options) {
  if (typeof stream.read !== 'function') {
    const Readable = require('internal/streams/readable');
    stream = Readable.wrap(stream, { objectMode: true });
  }
  const iterator = iterate(stream, options);
  iterator.stream = stream;
  return iterator;
}

async function* iterate(stream, options) {
  let wake = null;
  // undefined: going on. null: ended. Anything else: what the stream failed with.
  let outcome;

  function awake() {
    const resolve = wake;
    wake = null;
    if (resolve) resolve();
  }
  stream.on('readable', awake);
  const cleanup = finished(stream, { writable: false }, (err) => {
    outcome = err ? aggregateTwoErrors(outcome, err) : null;
    awake();
  });

  try {
    while (true) {
      const chunk = stream.destroyed ? null : stream.read();
      if (chunk !== null) yield chunk;
      else if (outcome) throw outcome;
      else if (outcome === null) return;
      else await new Promise((resolve) => (wake = resolve));
    }
  } catch (err) {
    outcome = aggregateTwoErrors(outcome, err);
    throw outcome;
  } finally {
    const destroys = outcome || options?.destroyOnReturn !== false;
    if (destroys && (outcome === undefined || stream._readableState.autoDestroy)) {
      destroyer(stream, null);
    } else {
      stream.off('readable', awake);
      cleanup();
    }
  }
}

// What pipeline hands to the next function: an iterable of what the previous step gives.
function toIterable(source) {
  const { isIterable, isReadableNodeStream } = require('internal/streams/utils');
  if (isIterable(source)) return source;
  if (isReadableNodeStream(source)) return toAsyncIterator(source);
  const { codes } = require('internal/errors');
  throw new codes.ERR_INVALID_ARG_TYPE('val', ['Readable', 'Iterable', 'AsyncIterable'], source);
}

module.exports = { toAsyncIterator, toIterable };
