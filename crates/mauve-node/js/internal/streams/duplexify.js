// Duplex.from: a duplex stream out of a stream, an iterable, a function, a promise or a pair of streams.

const { codes } = require('internal/errors');
const Duplex = require('internal/streams/duplex');
const Readable = require('internal/streams/readable');
const kinds = require('internal/streams/kinds');
const { Facade } = require('internal/streams/facade');
const { from } = require('internal/streams/from');
const { destroyAny } = require('internal/streams/life');
const { finished } = require('internal/streams/finished');
const { abortErrorOf } = require('internal/streams/add_abort_signal');
const { isReadable, isWritable } = require('internal/streams/condition');

// In the order in which they are tried: what it may be, and what becomes of it.
const WAYS = [
  [kinds.duplex, (body) => body],
  [kinds.reader, (body) => joined(body, undefined)],
  [kinds.writer, (body) => joined(undefined, body)],
  [kinds.stream, () => joined(false, false)],
  [(body) => typeof body === 'function', fromFunction],
  [kinds.iterable, (body) => from(Duplex, body, { objectMode: true, writable: false })],
  [(body) => typeof body?.writable === 'object' || typeof body?.readable === 'object', fromPair],
  [kinds.thenable, fromPromise],
];

const ACCEPTED = [
  'Blob', 'ReadableStream', 'WritableStream', 'Stream', 'Iterable', 'AsyncIterable', 'Function',
  '{ readable, writable } pair', 'Promise',
];

function duplexFrom(body, name) {
  const way = WAYS.find(([fits]) => fits(body));
  if (!way) throw new codes.ERR_INVALID_ARG_TYPE(name, ACCEPTED, body);
  return way[1](body, name);
}

function fromPair(pair, name) {
  const part = (one, fits) => (one ? (fits(one) ? one : duplexFrom(one, name)) : undefined);
  return joined(part(pair.readable, kinds.reader), part(pair.writable, kinds.writer));
}

function fromPromise(promise) {
  const output = new Duplex({ objectMode: true, writable: false, read() {} });
  promise.then(
    (value) => {
      if (value != null) output.push(value);
      output.push(null);
    },
    (err) => destroyAny(output, err),
  );
  return output;
}

// A function that is given what is written, and either yields what is to be read or just ends.
function fromFunction(fn, name) {
  const input = new Inbox();
  const result = fn(input.chunks(), { signal: input.signal });
  const methods = input.asMethods();
  if (kinds.iterable(result)) return from(Duplex, result, { objectMode: true, ...methods });
  if (!kinds.thenable(result)) {
    throw new codes.ERR_INVALID_RETURN_VALUE('Iterable, AsyncIterable or AsyncFunction', name, result);
  }
  let output;
  const ended = result.then(
    (value) => {
      if (value != null) throw new codes.ERR_INVALID_RETURN_VALUE('nully', 'body', value);
    },
    (err) => destroyAny(output, err),
  );
  // Written to its end is not enough: the function must have returned.
  const final = (callback) => {
    const answer = (err) => process.nextTick(callback, err);
    methods.final(() => ended.then(() => answer(null), answer));
  };
  output = new Duplex({ ...methods, objectMode: true, readable: false, final });
  return output;
}

// What is written, as an async iterable. There is one letter in it at most.
class Inbox {
  #controller = new AbortController();
  #letter;
  #deliver;

  constructor() {
    this.#expect();
  }

  get signal() {
    return this.#controller.signal;
  }

  #expect() {
    this.#letter = new Promise((resolve) => {
      this.#deliver = resolve;
    });
  }

  async *chunks() {
    for (;;) {
      const { chunk, isLast, callback } = await this.#letter;
      process.nextTick(callback);
      if (isLast) return;
      if (this.signal.aborted) throw abortErrorOf(this.signal);
      this.#expect();
      yield chunk;
    }
  }

  asMethods() {
    return {
      write: (chunk, encoding, callback) => this.#deliver({ chunk, isLast: false, callback }),
      final: (callback) => this.#deliver({ isLast: true, callback }),
      destroy: (err, callback) => {
        this.#controller.abort();
        callback(err);
      },
    };
  }
}

// A duplex stream in front of one to read and one to write.
function joined(source, inlet) {
  const outlet = source && typeof source.read !== 'function' ? Readable.wrap(source) : source;
  const facade = new Facade({
    inlet,
    outlet,
    writable: Boolean(isWritable(inlet)),
    readable: Boolean(isReadable(outlet)),
  });
  const { open } = facade;
  // Once one side has come to its end, the other is on its own.
  let isOver = !open.readable && !open.writable;
  const watch = (stream) => {
    finished(stream, (err) => {
      isOver = true;
      if (err) destroyAny(outlet, err);
      facade.over(err);
    });
  };
  if (open.writable) {
    watch(inlet);
    facade.feed(inlet);
    inlet.on('finish', () => facade.finish());
  }
  if (open.readable) {
    watch(outlet);
    facade.draw(outlet);
  }
  facade.closeWith(
    () => isOver,
    (err, wasOver) => {
      if (wasOver) return;
      destroyAny(inlet, err);
      destroyAny(outlet, err);
    },
  );
  return facade.stream;
}

module.exports = { duplexFrom };
