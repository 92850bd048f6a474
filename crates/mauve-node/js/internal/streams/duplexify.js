// Duplex.from: makes a duplex stream from a stream, an iterable, a function, a promise or a pair of streams.
const { throwIfAborted } = require('internal/abort');
const { codes } = require('internal/errors');
const Duplex = require('internal/streams/duplex');
const Readable = require('internal/streams/readable');
const types = require('internal/streams/types');
const { Facade } = require('internal/streams/facade');
const { from } = require('internal/streams/from');
const { destroyer } = require('internal/streams/destroy');
const { finished } = require('internal/streams/finished');
const { isReadable, isWritable } = require('internal/streams/utils');

// [type check, conversion], in the order in which they are tried.
const CONVERSIONS = [
  [types.isDuplexNodeStream, (body) => body],
  [types.isReadableNodeStream, (body) => joined(body, undefined)],
  [types.isWritableNodeStream, (body) => joined(undefined, body)],
  [types.isNodeStream, () => joined(false, false)],
  [(body) => typeof body === 'function', fromFunction],
  [types.isIterable, (body) => from(Duplex, body, { objectMode: true, writable: false })],
  [(body) => typeof body?.writable === 'object' || typeof body?.readable === 'object', fromPair],
  [types.isThenable, fromPromise],
];

const ACCEPTED = [
  'Blob', 'ReadableStream', 'WritableStream', 'Stream', 'Iterable', 'AsyncIterable', 'Function',
  '{ readable, writable } pair', 'Promise',
];

function duplexFrom(body, name) {
  const conversion = CONVERSIONS.find(([fits]) => fits(body));
  if (!conversion) throw new codes.ERR_INVALID_ARG_TYPE(name, ACCEPTED, body);
  return conversion[1](body, name);
}

function fromPair(pair, name) {
  const part = (one, fits) => (one ? (fits(one) ? one : duplexFrom(one, name)) : undefined);
  return joined(part(pair.readable, types.isReadableNodeStream), part(pair.writable, types.isWritableNodeStream));
}

function fromPromise(promise) {
  const output = new Duplex({ objectMode: true, writable: false, read() {} });
  promise.then(
    (value) => {
      if (value != null) output.push(value);
      output.push(null);
    },
    (err) => destroyer(output, err),
  );
  return output;
}

// The function gets the written chunks. It returns an iterable of the chunks to read, or a promise.
function fromFunction(fn, name) {
  const input = new WriteChannel();
  const result = fn(input.chunks(), { signal: input.signal });
  const methods = input.asMethods();
  if (types.isIterable(result)) return from(Duplex, result, { objectMode: true, ...methods });
  if (!types.isThenable(result)) throw new codes.ERR_INVALID_RETURN_VALUE('Iterable, AsyncIterable or AsyncFunction', name, result);
  let output;
  const ended = result.then(
    (value) => { if (value != null) throw new codes.ERR_INVALID_RETURN_VALUE('nully', 'body', value); },
    (err) => destroyer(output, err),
  );
  // The stream finishes only when the promise of the function has settled, too.
  const final = (callback) => {
    const done = (err) => process.nextTick(callback, err);
    methods.final(() => ended.then(() => done(null), done));
  };
  output = new Duplex({ ...methods, objectMode: true, readable: false, final });
  return output;
}

// Passes writes to an async iterable. It holds at most one write, whose callback provides backpressure.
class WriteChannel {
  #controller = new AbortController();
  #nextWrite;
  #resolve;

  constructor() { this.#awaitWrite(); }
  get signal() { return this.#controller.signal; }
  #awaitWrite() { this.#nextWrite = new Promise((resolve) => { this.#resolve = resolve; }); }

  async *chunks() {
    for (;;) {
      const { chunk, isLast, callback } = await this.#nextWrite;
      process.nextTick(callback);
      if (isLast) return;
      throwIfAborted(this.signal);
      this.#awaitWrite();
      yield chunk;
    }
  }

  asMethods() {
    return {
      write: (chunk, encoding, callback) => this.#resolve({ chunk, isLast: false, callback }),
      final: (callback) => this.#resolve({ isLast: true, callback }),
      destroy: (err, callback) => {
        this.#controller.abort();
        // Ends a function that waits for a write.
        this.#resolve({ isLast: true, callback() {} });
        callback(err);
      },
    };
  }
}

// Combines a readable and a writable stream.
function joined(readable, sink) {
  const source = readable && typeof readable.read !== 'function' ? Readable.wrap(readable) : readable;
  const facade = new Facade({ sink, source, writable: Boolean(isWritable(sink)), readable: Boolean(isReadable(source)) });
  const { open } = facade;
  // When one side has finished, _destroy no longer destroys the other.
  let isOneFinished = !open.readable && !open.writable;
  const watch = (stream) => {
    finished(stream, (err) => {
      isOneFinished = true;
      if (err) destroyer(source, err);
      facade.onFinished(err);
    });
  };
  if (open.writable) {
    watch(sink);
    facade.forwardWrites(sink);
    sink.on('finish', () => facade.finish());
  }
  if (open.readable) {
    watch(source);
    facade.forwardReads(source);
  }
  facade.destroyWith(
    () => isOneFinished,
    (err, wasFinished) => {
      if (wasFinished) return;
      destroyer(sink, err);
      destroyer(source, err);
    },
  );
  return facade.stream;
}

module.exports = { duplexFrom };
