// stream: the classes, and the functions that connect streams or ask about them.

const { Stream } = require('internal/streams/legacy');
const { asBuffer } = require('internal/streams/side');
const { isDestroyed, isDisturbed, isErrored, isReadable, isWritable } = require('internal/streams/condition');
const { getDefaultHighWaterMark, setDefaultHighWaterMark } = require('internal/streams/marks');
const { addAbortSignal } = require('internal/streams/add_abort_signal');
const { destroyAny: destroyer } = require('internal/streams/life');
const { finished } = require('internal/streams/finished');
const { pipeline } = require('internal/streams/pipeline');
const { PassThrough, Transform } = require('internal/streams/transform');

// Seldom used, so loaded when called.
function duplexPair(options) {
  return require('internal/streams/duplexpair').duplexPair(options);
}

function compose(...streams) {
  return require('internal/streams/compose').compose(...streams);
}

// The module is the oldest class, and everything else hangs on it, in the order in which it is listed.
module.exports = Object.assign(Stream, {
  isDestroyed,
  isDisturbed,
  isErrored,
  isReadable,
  isWritable,

  Readable: require('internal/streams/readable'),
  Writable: require('internal/streams/writable'),
  Duplex: require('internal/streams/duplex'),
  Transform,
  PassThrough,

  duplexPair,
  pipeline,
  addAbortSignal,
  finished,
  destroy: destroyer,
  compose,
  setDefaultHighWaterMark,
  getDefaultHighWaterMark,
});

const promises = () => require('stream/promises');
Object.defineProperty(Stream, 'promises', { configurable: true, enumerable: true, get: promises });

// What util.promisify makes of them.
for (const fn of [pipeline, finished]) {
  Object.defineProperty(fn, Symbol.for('nodejs.util.promisify.custom'), { get: () => promises()[fn.name] });
}

Object.assign(Stream, {
  Stream,
  _isArrayBufferView: ArrayBuffer.isView,
  _isUint8Array: (value) => value instanceof Uint8Array,
  _uint8ArrayToBuffer: (chunk) => asBuffer(chunk),
});
