// TransformStream, and the transformations that the platform has: texts and compression.
const { algorithm, deferred, define, illegal, invalidState, kMake, noop, stateOf, states, strategyOf } = require('internal/webstreams/common');
const { codes } = require('internal/errors');
const readable = require('internal/webstreams/readable');
const writable = require('internal/webstreams/writable');

class TransformStream {
  constructor(transformer = undefined, writableStrategy = undefined, readableStrategy = undefined) {
    for (const name of ['readableType', 'writableType']) {
      if (transformer?.[name] !== undefined) throw new codes.ERR_INVALID_ARG_VALUE.RangeError(`transformer.${name}`, transformer[name]);
    }
    const t = { name: 'TransformStream', change: deferred() };
    states.set(this, t);
    const controller = new TransformStreamDefaultController(kMake);
    states.set(controller, { name: 'TransformStreamDefaultController', t });
    const [change, flush, stop] = ['transform', 'flush', 'cancel'].map((name) => algorithm(transformer, name, 'transformer'));
    t.apply = transformer?.transform ? change : async (chunk) => { enqueue(t, chunk); };
    Object.assign(t, { flush, stop, controller, readable: new readable.ReadableStream(kMake), writable: new writable.WritableStream(kMake) });
    [t.r, t.w] = [states.get(t.readable), states.get(t.writable)];
    const started = Promise.withResolvers();
    const start = () => started.promise;
    writable.setUp(t.w, { start, write: (chunk) => onWrite(t, chunk), close: () => onClose(t), abort: (reason) => onStop(t, reason, true) }, strategyOf(writableStrategy, 1));
    readable.setUp(t.r, { start, pull: () => onPull(t), cancel: (reason) => onStop(t, reason, false) }, strategyOf(readableStrategy, 0));
    setBackpressure(t, true);
    started.resolve(transformer?.start?.(controller));
  }

  get readable() { return stateOf(this, 'TransformStream').readable; }
  get writable() { return stateOf(this, 'TransformStream').writable; }
}
define(TransformStream, ['readable', 'writable'], (t) => ({ readable: t.readable, writable: t.writable, backpressure: t.backpressure }));

class TransformStreamDefaultController {
  constructor(key) { illegal(key); }
  get desiredSize() { return readable.desired(stateOf(this, 'TransformStreamDefaultController').t.r.controller); }
  enqueue(chunk = undefined) { enqueue(stateOf(this, 'TransformStreamDefaultController').t, chunk); }
  error(reason = undefined) { fail(stateOf(this, 'TransformStreamDefaultController').t, reason); }

  terminate() {
    const { t } = stateOf(this, 'TransformStreamDefaultController');
    if (readable.canEnqueue(t.r.controller)) readable.finish(t.r.controller);
    failWritable(t, invalidState('TransformStream has been terminated'));
  }
}
define(TransformStreamDefaultController, ['desiredSize', 'enqueue', 'error', 'terminate']);

function setBackpressure(t, value) {
  t.change.resolve();
  t.change = deferred();
  t.backpressure = value;
}

function enqueue(t, chunk) {
  const c = t.r.controller;
  if (!readable.canEnqueue(c)) throw invalidState('Unable to enqueue');
  try {
    readable.enqueue(c, chunk);
  } catch (error) {
    failWritable(t, error);
    throw t.r.error;
  }
  const isFull = readable.desired(c) <= 0 && !t.r.reader?.requests.length;
  if (isFull !== t.backpressure) setBackpressure(t, true);
}

function fail(t, error) {
  readable.fail(t.r.controller, error);
  failWritable(t, error);
}

function failWritable(t, error) {
  if (t.w.state === 'writable') writable.startErroring(t.w, error);
  if (t.backpressure) setBackpressure(t, false);
}

async function transform(t, chunk) {
  try {
    await t.apply(chunk, t.controller);
  } catch (error) {
    fail(t, error);
    throw error;
  }
}

function onWrite(t, chunk) {
  if (!t.backpressure) return transform(t, chunk);
  return t.change.promise.then(() => {
    if (t.w.state === 'erroring') throw t.w.error;
    return transform(t, chunk);
  });
}

function onPull(t) {
  setBackpressure(t, false);
  return t.change.promise;
}

async function onClose(t) {
  try {
    await t.flush(t.controller);
  } catch (error) {
    fail(t, error);
    throw error;
  }
  if (t.r.state === 'errored') throw t.r.error;
  if (readable.canEnqueue(t.r.controller)) readable.finish(t.r.controller);
}

// An abort of the writable side, or a cancellation of the readable one.
async function onStop(t, reason, isAbort) {
  if (t.stopping) return t.stopping;
  t.stopping = t.stop(reason);
  try {
    await t.stopping;
  } catch (error) {
    fail(t, error);
    throw error;
  }
  if (isAbort) readable.fail(t.r.controller, reason);
  else failWritable(t, reason);
  return undefined;
}

// A class whose objects have the two sides of a transformation.
function definePair(name, make, members = []) {
  const pairs = new WeakMap();
  const pairOf = (object) => pairs.get(object) ?? (() => { throw new codes.ERR_INVALID_THIS(name); })();
  const Class = { [name]: class { constructor(...args) { pairs.set(this, make(...args)); } } }[name];
  for (const member of ['readable', 'writable', ...members]) {
    Object.defineProperty(Class.prototype, member, { get() { return pairOf(this)[member]; }, enumerable: true, configurable: true });
  }
  Object.defineProperty(Class.prototype, Symbol.toStringTag, { value: name, configurable: true });
  return Class;
}

const withSides = (transform_, own) => Object.assign(own, { readable: transform_.readable, writable: transform_.writable });

const TextEncoderStream = definePair('TextEncoderStream', () => {
  let high = '';
  return withSides(new TransformStream({
    transform(chunk, controller) {
      let text = high + chunk;
      high = /[\ud800-\udbff]$/.test(text) ? text.slice(-1) : '';
      if (high) text = text.slice(0, -1);
      if (text) controller.enqueue(new TextEncoder().encode(text));
    },
    flush(controller) { if (high) controller.enqueue(new Uint8Array([0xef, 0xbf, 0xbd])); },
  }), { encoding: 'utf-8' });
}, ['encoding']);

const TextDecoderStream = definePair('TextDecoderStream', (encoding = 'utf-8', options = {}) => {
  const decoder = new TextDecoder(encoding, options);
  const send = (text, controller) => { if (text) controller.enqueue(text); };
  return withSides(new TransformStream({
    transform: (chunk, controller) => send(decoder.decode(chunk, { stream: true }), controller),
    flush: (controller) => send(decoder.decode(), controller),
  }), { encoding: decoder.encoding, fatal: decoder.fatal, ignoreBOM: decoder.ignoreBOM });
}, ['encoding', 'fatal', 'ignoreBOM']);

const FORMATS = { gzip: ['Gzip', 'Gunzip'], deflate: ['Deflate', 'Inflate'], 'deflate-raw': ['DeflateRaw', 'InflateRaw'], brotli: ['BrotliCompress', 'BrotliDecompress'] };
const defineCompression = (name, index) => definePair(name, (format) => {
  if (!Object.hasOwn(FORMATS, format)) throw Object.assign(new TypeError(`Failed to construct '${name}': 1st argument '${format}' is not a valid enum value of type CompressionFormat.`), { code: 'ERR_INVALID_ARG_VALUE' });
  const codec = require('zlib')[`create${FORMATS[format][index]}`]();
  const failed = deferred();
  const drained = () => new Promise((resolve) => { codec.once('drain', resolve); });
  return withSides(new TransformStream({
    start(controller) {
      codec.on('data', (chunk) => controller.enqueue(new Uint8Array(chunk)));
      codec.on('error', (error) => {
        failed.reject(error);
        controller.error(error);
      });
    },
    transform: (chunk) => (codec.write(chunk) ? undefined : Promise.race([drained(), failed.promise])),
    flush: () => Promise.race([new Promise((resolve) => { codec.once('end', resolve).end(); }), failed.promise]),
  }), {});
});

const defineStrategy = (name, size) => {
  const Class = { [name]: class {
    #mark;

    constructor(options) {
      if (options?.highWaterMark === undefined) throw new codes.ERR_MISSING_OPTION('options.highWaterMark');
      this.#mark = +options.highWaterMark;
    }

    get highWaterMark() { return this.#mark; }
    get size() { return size; }
  } }[name];
  define(Class, ['highWaterMark', 'size'], noop);
  return Class;
};

module.exports = {
  TransformStream, TransformStreamDefaultController, TextEncoderStream, TextDecoderStream,
  CompressionStream: defineCompression('CompressionStream', 0),
  DecompressionStream: defineCompression('DecompressionStream', 1),
  ByteLengthQueuingStrategy: defineStrategy('ByteLengthQueuingStrategy', (chunk) => chunk.byteLength),
  CountQueuingStrategy: defineStrategy('CountQueuingStrategy', () => 1),
};
