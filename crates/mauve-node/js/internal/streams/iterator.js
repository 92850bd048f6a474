// Streams as async iterables: `for await (const chunk of readable)`.

const { codes } = require('internal/errors');
const kinds = require('internal/streams/kinds');
const { destroyAny } = require('internal/streams/life');
const { finished } = require('internal/streams/finished');
const { joinErrors } = require('internal/streams/condition');
const { NextTime } = require('internal/streams/once');

function chunksOf(stream, options) {
  let readable = stream;
  if (typeof stream.read !== 'function') {
    readable = require('internal/streams/readable').wrap(stream, { objectMode: true });
  }
  const iterator = iterate(readable, options?.destroyOnReturn !== false);
  iterator.stream = readable;
  return iterator;
}

async function* iterate(stream, destroysOnReturn) {
  const news = new NextTime();
  const onReadable = () => news.happen();
  // How the stream came to its end; with an error, or without.
  let isOver = false;
  let error = null;
  stream.on('readable', onReadable);
  const unwatch = finished(stream, { writable: false }, (err) => {
    isOver = true;
    error = err ? joinErrors(error, err) : null;
    news.happen();
  });
  try {
    for (;;) {
      const chunk = stream.destroyed ? null : stream.read();
      if (chunk !== null) yield chunk;
      else if (error) throw error;
      else if (isOver) return;
      else await new Promise((resolve) => news.call(resolve));
    }
  } catch (err) {
    error = joinErrors(error, err);
    throw error;
  } finally {
    const untouched = !isOver && !error;
    if ((error || destroysOnReturn) && (untouched || stream._readableState.autoDestroy)) {
      destroyAny(stream, null);
    } else {
      stream.off('readable', onReadable);
      unwatch();
    }
  }
}

// What a function in a pipeline is given: an iterable of what the step before it gives.
function iterableOver(source) {
  if (kinds.iterable(source)) return source;
  if (kinds.reader(source)) return chunksOf(source);
  throw new codes.ERR_INVALID_ARG_TYPE('val', ['Readable', 'Iterable', 'AsyncIterable'], source);
}

module.exports = { chunksOf, iterableOver };
