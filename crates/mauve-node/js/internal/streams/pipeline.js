// stream.pipeline: connects streams, iterables and generator functions, and ends them together.
//
// Every connection counts how many ends it waits for; the first error, or the last end, destroys what
// is still open and then calls back once, in a later tick.

const { AbortError, codes } = require('internal/errors');
const { validateAbortSignal, validateFunction } = require('internal/validators');
const { finished } = require('internal/streams/finished');
const { destroyer } = require('internal/streams/destroy');
const { toIterable } = require('internal/streams/iterator');
const {
  aggregateTwoErrors,
  isIterable,
  isNodeStream,
  isReadable,
  isReadableFinished,
  isReadableNodeStream,
} = require('internal/streams/utils');

function once(fn) {
  let called = false;
  return function (...args) {
    if (called) return;
    called = true;
    Reflect.apply(fn, this, args);
  };
}

// Destroys a stream unless it has come to its own end by then.
function guard(stream, reading, writing) {
  let over = false;
  stream.on('close', () => {
    over = true;
  });
  const cleanup = finished(stream, { readable: reading, writable: writing }, (err) => {
    over = !err;
  });
  return {
    destroy(err) {
      if (over) return;
      over = true;
      destroyer(stream, err || new codes.ERR_STREAM_DESTROYED('pipe'));
    },
    cleanup,
  };
}

function pipeline(...streams) {
  const last = streams.pop();
  validateFunction(last, 'streams[stream.length - 1]');
  return pipelineImpl(streams, once(last));
}

function pipelineImpl(streams, callback, options) {
  if (streams.length === 1 && Array.isArray(streams[0])) streams = streams[0];
  if (streams.length < 2) throw new codes.ERR_MISSING_ARGS('streams');

  const controller = new AbortController();
  const { signal } = controller;
  const outerSignal = options?.signal;
  validateAbortSignal(outerSignal, 'options.signal');

  // Listeners of the last stream go away if all went well: it may live on.
  const lastCleanups = [];
  const destroys = [];
  let error;
  let value;
  let waitingFor = 0;

  function abort() {
    settle(new AbortError(undefined, { cause: outerSignal?.reason }), false);
  }
  if (outerSignal && !outerSignal.aborted) outerSignal.addEventListener('abort', abort, { once: true });

  function oneDone(err) {
    settle(err, --waitingFor === 0);
  }
  function settle(err, isLast) {
    if (err && (!error || error.code === 'ERR_STREAM_PREMATURE_CLOSE')) error = err;
    if (!error && !isLast) return;
    while (destroys.length) destroys.shift()(error);
    outerSignal?.removeEventListener('abort', abort);
    controller.abort();
    if (isLast) {
      if (!error) for (const cleanup of lastCleanups) cleanup();
      process.nextTick(callback, error, value);
    }
  }

  let current;
  for (let i = 0; i < streams.length; i++) {
    const stream = streams[i];
    const reading = i < streams.length - 1;
    const isLast = !reading;
    const end = reading || options?.end !== false;

    if (isNodeStream(stream)) {
      if (end) {
        const { destroy, cleanup } = guard(stream, reading, i > 0);
        destroys.push(destroy);
        if (isReadable(stream) && isLast) lastCleanups.push(cleanup);
      }
      // An error after everything has been connected and ended must not be thrown at nobody.
      const onError = (err) => {
        if (err && err.name !== 'AbortError' && err.code !== 'ERR_STREAM_PREMATURE_CLOSE') {
          oneDone(err);
        }
      };
      stream.on('error', onError);
      if (isReadable(stream) && isLast) lastCleanups.push(() => stream.removeListener('error', onError));
    }

    if (i === 0) {
      current = firstOf(stream, signal);
    } else if (typeof stream === 'function') {
      current = stream(toIterable(current), { signal });
      if (reading) {
        if (!isIterable(current, true)) {
          throw new codes.ERR_INVALID_RETURN_VALUE('AsyncIterable', `transform[${i - 1}]`, current);
        }
      } else {
        current = collect(current, end);
      }
    } else if (isNodeStream(stream)) {
      if (isReadableNodeStream(current)) {
        waitingFor += 2;
        const cleanup = connect(current, stream, oneDone, end);
        if (isReadable(stream) && isLast) lastCleanups.push(cleanup);
      } else if (isIterable(current)) {
        waitingFor++;
        pump(current, stream, oneDone, end);
      } else {
        throw new codes.ERR_INVALID_ARG_TYPE('val', ['Readable', 'Iterable', 'AsyncIterable'], current);
      }
      current = stream;
    } else {
      const Duplex = require('internal/streams/duplex');
      current = Duplex.from(stream);
    }
  }
  if (signal.aborted || outerSignal?.aborted) process.nextTick(abort);
  return current;

  // A function at the end gives a promise or an iterable; outside, that is a readable stream.
  function collect(result, end) {
    const { PassThrough } = require('internal/streams/transform');
    const output = new PassThrough({ objectMode: true });
    if (typeof result?.then === 'function') {
      waitingFor++;
      result.then(
        (settled) => {
          value = settled;
          if (settled != null) output.write(settled);
          if (end) output.end();
          process.nextTick(oneDone);
        },
        (err) => {
          output.destroy(err);
          process.nextTick(oneDone, err);
        },
      );
    } else if (isIterable(result, true)) {
      waitingFor++;
      pump(result, output, oneDone, end);
    } else {
      throw new codes.ERR_INVALID_RETURN_VALUE('AsyncIterable or Promise', 'destination', result);
    }
    const { destroy, cleanup } = guard(output, false, true);
    destroys.push(destroy);
    lastCleanups.push(cleanup);
    return output;
  }
}

function firstOf(stream, signal) {
  if (typeof stream === 'function') {
    const result = stream({ signal });
    if (!isIterable(result)) {
      throw new codes.ERR_INVALID_RETURN_VALUE('Iterable, AsyncIterable or Stream', 'source', result);
    }
    return result;
  }
  if (isIterable(stream) || isReadableNodeStream(stream)) return stream;
  const Duplex = require('internal/streams/duplex');
  return Duplex.from(stream);
}

function connect(source, dest, oneDone, end) {
  let ended = false;
  dest.on('close', () => {
    if (!ended) oneDone(new codes.ERR_STREAM_PREMATURE_CLOSE());
  });
  source.pipe(dest, { end: false });
  if (end) {
    const endDest = () => {
      ended = true;
      dest.end();
    };
    if (isReadableFinished(source)) process.nextTick(endDest);
    else source.once('end', endDest);
  } else {
    oneDone();
  }
  finished(source, { readable: true, writable: false }, (err) => {
    const r = source._readableState;
    if (err?.code === 'ERR_STREAM_PREMATURE_CLOSE' && r?.ended && !r.errored && !r.errorEmitted) {
      // Some streams close before their last data has been read: the end may still come.
      source.once('end', oneDone).once('error', oneDone);
    } else {
      oneDone(err);
    }
  });
  return finished(dest, { readable: false, writable: true }, oneDone);
}

async function pump(iterable, writable, oneDone, end) {
  let error;
  let wake = null;
  function resume(err) {
    if (err) error = err;
    if (!wake) return;
    const woken = wake;
    wake = null;
    woken();
  }
  function drained() {
    return new Promise((resolve, reject) => {
      if (error) reject(error);
      else wake = () => (error ? reject(error) : resolve());
    });
  }
  writable.on('drain', resume);
  const cleanup = finished(writable, { readable: false }, resume);
  try {
    if (writable.writableNeedDrain) await drained();
    for await (const chunk of iterable) {
      if (!writable.write(chunk)) await drained();
    }
    if (end) {
      writable.end();
      await drained();
    }
    oneDone();
  } catch (err) {
    oneDone(error !== err ? aggregateTwoErrors(error, err) : err);
  } finally {
    cleanup();
    writable.off('drain', resume);
  }
}

// stream/promises' pipeline: the last argument may be options instead of a callback.
function pipelinePromise(...streams) {
  return new Promise((resolve, reject) => {
    let signal;
    let end;
    const last = streams[streams.length - 1];
    if (last && typeof last === 'object' && !isNodeStream(last) && !isIterable(last)) {
      const options = streams.pop();
      signal = options.signal;
      end = options.end;
    }
    pipelineImpl(streams, (err, value) => (err ? reject(err) : resolve(value)), { signal, end });
  });
}

module.exports = { pipeline, pipelineImpl, pipelinePromise };
