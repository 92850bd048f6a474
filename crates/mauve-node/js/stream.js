// stream: the classes and the functions that connect them.

const { Buffer } = require('buffer');
const { Stream } = require('internal/streams/legacy');
const utils = require('internal/streams/utils');
const { finished } = require('internal/streams/finished');
const { pipeline } = require('internal/streams/pipeline');
const { PassThrough, Transform } = require('internal/streams/transform');
const { getDefaultHighWaterMark, setDefaultHighWaterMark } = require('internal/streams/state');

module.exports = Stream;

Stream.isDestroyed = utils.isDestroyed;
Stream.isDisturbed = utils.isDisturbed;
Stream.isErrored = utils.isErrored;
Stream.isReadable = utils.isReadable;
Stream.isWritable = utils.isWritable;

Stream.Readable = require('internal/streams/readable');
Stream.Writable = require('internal/streams/writable');
Stream.Duplex = require('internal/streams/duplex');
Stream.Transform = Transform;
Stream.PassThrough = PassThrough;
Stream.duplexPair = function duplexPair(options) {
  return require('internal/streams/duplexpair').duplexPair(options);
};
Stream.pipeline = pipeline;
Stream.addAbortSignal = require('internal/streams/add_abort_signal').addAbortSignal;
Stream.finished = finished;
Stream.destroy = require('internal/streams/destroy').destroyer;
Stream.compose = function compose(...streams) {
  return require('internal/streams/compose').compose(...streams);
};
Stream.setDefaultHighWaterMark = setDefaultHighWaterMark;
Stream.getDefaultHighWaterMark = getDefaultHighWaterMark;

Object.defineProperty(Stream, 'promises', {
  configurable: true,
  enumerable: true,
  get: () => require('stream/promises'),
});

// util.promisify finds the promise forms here.
const promisified = Symbol.for('nodejs.util.promisify.custom');
Object.defineProperty(pipeline, promisified, { get: () => require('stream/promises').pipeline });
Object.defineProperty(finished, promisified, { get: () => require('stream/promises').finished });

Stream.Stream = Stream;
Stream._isArrayBufferView = ArrayBuffer.isView;
Stream._isUint8Array = (value) => value instanceof Uint8Array;
Stream._uint8ArrayToBuffer = (chunk) => Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
