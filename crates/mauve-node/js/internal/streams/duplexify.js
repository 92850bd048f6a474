// Duplex.from: a duplex stream out of a stream, an iterable, a function, a promise or a pair of streams.

const { AbortError, codes } = require('internal/errors');
const Duplex = require('internal/streams/duplex');
const Readable = require('internal/streams/readable');
const { from } = require('internal/streams/from');
const { destroyer } = require('internal/streams/destroy');
const { finished } = require('internal/streams/finished');
const {
  isDuplexNodeStream,
  isIterable,
  isNodeStream,
  isReadable,
  isReadableNodeStream,
  isWritable,
  isWritableNodeStream,
} = require('internal/streams/utils');

function duplexify(body, name) {
  if (isDuplexNodeStream(body)) return body;
  if (isReadableNodeStream(body)) return join({ readable: body });
  if (isWritableNodeStream(body)) return join({ writable: body });
  if (isNodeStream(body)) return join({ writable: false, readable: false });
  if (typeof body === 'function') return fromFunction(body, name);
  if (isIterable(body)) return Readable.from(body, { objectMode: true, writable: false });
  if (typeof body?.writable === 'object' || typeof body?.readable === 'object') {
    const readable = body.readable ? toReadable(body.readable, name) : undefined;
    const writable = body.writable ? toWritable(body.writable, name) : undefined;
    return join({ readable, writable });
  }
  if (typeof body?.then === 'function') return fromPromise(body);
  throw new codes.ERR_INVALID_ARG_TYPE(
    name,
    ['Blob', 'ReadableStream', 'WritableStream', 'Stream', 'Iterable', 'AsyncIterable', 'Function', '{ readable, writable } pair', 'Promise'],
    body,
  );
}

const toReadable = (body, name) => (isReadableNodeStream(body) ? body : duplexify(body, name));
const toWritable = (body, name) => (isWritableNodeStream(body) ? body : duplexify(body, name));

function fromPromise(promise) {
  let duplex;
  promise.then(
    (value) => {
      if (value != null) duplex.push(value);
      duplex.push(null);
    },
    (err) => destroyer(duplex, err),
  );
  duplex = new Duplex({ objectMode: true, writable: false, read() {} });
  return duplex;
}

// An async function that reads what is written, and either yields output or just ends.
function fromFunction(fn, name) {
  const input = inputQueue();
  const value = fn(input.iterable, { signal: input.controller.signal });
  if (isIterable(value)) {
    return outputOver(value, input);
  }
  const then = value?.then;
  if (typeof then === 'function') {
    let duplex;
    const promise = Reflect.apply(then, value, [
      (result) => {
        if (result != null) throw new codes.ERR_INVALID_RETURN_VALUE('nully', 'body', result);
      },
      (err) => destroyer(duplex, err),
    ]);
    duplex = new Duplex({
      objectMode: true,
      readable: false,
      write: input.write,
      final(cb) {
        input.final(() => promise.then(() => process.nextTick(cb, null), (err) => process.nextTick(cb, err)));
      },
      destroy: input.destroy,
    });
    return duplex;
  }
  throw new codes.ERR_INVALID_RETURN_VALUE('Iterable, AsyncIterable or AsyncFunction', name, value);
}

// What the function yields is read from the same stream that it reads.
function outputOver(iterable, input) {
  return from(Duplex, iterable, { objectMode: true, ...input.methods });
}

// Written chunks, one at a time, as an async iterable.
function inputQueue() {
  const controller = new AbortController();
  let waiting = Promise.withResolvers ? Promise.withResolvers() : deferred();
  async function* iterate() {
    while (true) {
      const { chunk, done, cb } = await waiting.promise;
      process.nextTick(cb);
      if (done) return;
      if (controller.signal.aborted) throw new AbortError(undefined, { cause: controller.signal.reason });
      waiting = deferred();
      yield chunk;
    }
  }
  const methods = {
    write(chunk, encoding, cb) {
      waiting.resolve({ chunk, done: false, cb });
    },
    final(cb) {
      waiting.resolve({ done: true, cb });
    },
    destroy(err, cb) {
      controller.abort();
      cb(err);
    },
  };
  return { controller, iterable: iterate(), methods, ...methods };
}

function deferred() {
  const result = {};
  result.promise = new Promise((resolve, reject) => Object.assign(result, { resolve, reject }));
  return result;
}

// One duplex stream in front of a readable and a writable one.
function join({ readable: source, writable: sink }) {
  const readable = source && typeof source.read !== 'function' ? Readable.wrap(source) : source;
  const writable = sink;
  let canRead = !!isReadable(readable);
  let canWrite = !!isWritable(writable);
  let onDrain = null;
  let onFinish = null;
  let onReadable = null;
  let onClose = null;

  const face = new Duplex({
    readableObjectMode: !!readable?.readableObjectMode,
    writableObjectMode: !!writable?.writableObjectMode,
    readable: canRead,
    writable: canWrite,
  });
  function over(err) {
    const cb = onClose;
    onClose = null;
    if (cb) cb(err);
    else if (err) face.destroy(err);
    else if (!canRead && !canWrite) face.destroy();
  }
  if (canWrite) {
    finished(writable, (err) => {
      canWrite = false;
      if (err) destroyer(readable, err);
      over(err);
    });
    face._write = (chunk, encoding, cb) => {
      if (writable.write(chunk, encoding)) cb();
      else onDrain = cb;
    };
    face._final = (cb) => {
      writable.end();
      onFinish = cb;
    };
    writable.on('drain', () => {
      const cb = onDrain;
      onDrain = null;
      if (cb) cb();
    });
    writable.on('finish', () => {
      const cb = onFinish;
      onFinish = null;
      if (cb) cb();
    });
  }
  if (canRead) {
    finished(readable, (err) => {
      canRead = false;
      if (err) destroyer(readable, err);
      over(err);
    });
    readable.on('readable', () => {
      const cb = onReadable;
      onReadable = null;
      if (cb) cb();
    });
    readable.on('end', () => face.push(null));
    face._read = () => {
      for (;;) {
        const chunk = readable.read();
        if (chunk === null) {
          onReadable = face._read;
          return;
        }
        if (!face.push(chunk)) return;
      }
    };
  }
  face._destroy = (err, cb) => {
    if (!err && onClose !== null) err = new AbortError();
    onReadable = null;
    onDrain = null;
    onFinish = null;
    if (!canRead && !canWrite) {
      cb(err);
      return;
    }
    onClose = cb;
    destroyer(writable, err);
    destroyer(readable, err);
  };
  return face;
}

module.exports = { duplexify };
