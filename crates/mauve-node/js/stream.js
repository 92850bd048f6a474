// The module stream: the classes, and functions that connect or inspect streams.
const { Stream } = require('internal/streams/legacy');
const { asBuffer } = require('internal/streams/state');
const { isDestroyed, isDisturbed, isErrored, isReadable, isWritable } = require('internal/streams/utils');
const { getDefaultHighWaterMark, setDefaultHighWaterMark } = require('internal/streams/high_water_mark');
const { addAbortSignal } = require('internal/streams/add_abort_signal');
const { destroyer } = require('internal/streams/destroy');
const { finished } = require('internal/streams/finished');
const { pipeline } = require('internal/streams/pipeline');
const { PassThrough, Transform } = require('internal/streams/transform');

// Loaded on first use.
function duplexPair(options) { return require('internal/streams/duplexpair').duplexPair(options); }
function compose(...streams) { return require('internal/streams/compose').compose(...streams); }

// The module is the legacy class Stream. The order of its properties is Node's.
module.exports = Object.assign(Stream, {
  isDestroyed, isDisturbed, isErrored, isReadable, isWritable,

  Readable: require('internal/streams/readable'),
  Writable: require('internal/streams/writable'),
  Duplex: require('internal/streams/duplex'),
  Transform, PassThrough,

  duplexPair, pipeline, addAbortSignal, finished,
  destroy: destroyer,
  compose, setDefaultHighWaterMark, getDefaultHighWaterMark,
});

const promises = () => require('stream/promises');
Object.defineProperty(Stream, 'promises', { configurable: true, enumerable: true, get: promises });

// The results of util.promisify.
for (const fn of [pipeline, finished]) Object.defineProperty(fn, Symbol.for('nodejs.util.promisify.custom'), { get: () => promises()[fn.name] });

Object.assign(Stream, {
  Stream,
  _isArrayBufferView: ArrayBuffer.isView,
  _isUint8Array: (value) => value instanceof Uint8Array,
  _uint8ArrayToBuffer: (chunk) => asBuffer(chunk),
});
