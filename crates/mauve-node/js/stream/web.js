// The module 'stream/web'.
const readable = require('internal/webstreams/readable');
const { WritableStream, WritableStreamDefaultController, WritableStreamDefaultWriter } = require('internal/webstreams/writable');
const { ReadableByteStreamController, ReadableStream, ReadableStreamDefaultController, ReadableStreamDefaultReader } = readable;
module.exports = require('internal/stand_in')('stream/web', { ReadableByteStreamController, ReadableStream,
  ReadableStreamDefaultController, ReadableStreamDefaultReader, WritableStream, WritableStreamDefaultController,
  WritableStreamDefaultWriter, ...require('internal/webstreams/transform') });
