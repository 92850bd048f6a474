// Passes the bytes of a socket to an HTTP parser. If the socket has a native handle, they bypass the stream;
// only the end and errors pass through it. A listener for 'data' or 'readable' restores the stream.

const { errnoException } = require('internal/errors');
const { onFinish } = require('internal/http/outgoing');
const { StreamHandle } = require('internal/net/handle');
const { kLastWriteQueueSize } = require('internal/net/socket_timeout');
const { onWriteComplete } = require('internal/net/socket_writes');

const streams = binding('stream');

// Fits into an empty send buffer of a socket, together with the end of a message.
const MAX_PENDING = 16 * 1024;

class SocketConsumer {
  constructor(socket, parser, ondata) {
    this.socket = socket;
    this.ondata = ondata;
    this.handle = null;
    this.message = null;
    this.onWritten = (errno) => {
      if (errno === 0) onFinish(this.message);
      else if (!socket.destroyed) socket.destroy(errnoException(errno, 'write'));
    };
    this.onChunkWritten = (errno) => onWriteComplete(socket, errno, this.chunkDone);
    // Whether the socket is paused.
    this.paused = false;
    // Programs may replace it.
    this.originalWrite = socket.write;
    // Makes the stream flow, so that it ends, and receives data if there is no native handle.
    socket.on('data', ondata);
    const handle = socket._handle;
    if (!(handle instanceof StreamHandle)) return;
    this.handle = handle;
    handle.consume(parser);
    socket._consumer = this;
    socket.on('newListener', releaseOnReader).on('pause', onPause).on('resume', onResume);
  }

  // Whether a write may bypass the stream. Its pending writes must be none, or those of this tick.
  canWrite(socket, isContinued) {
    const { handle } = this;
    const state = socket._writableState;
    if (handle === null || socket._handle !== handle || socket.write !== this.originalWrite) return false;
    if (isContinued) return state.corked === 1 && state.length > 0 && state.length < MAX_PENDING;
    return state.length === 0 && state.corked === 0 && state.endState === 0;
  }

  // Whether the writes of a message may be queued, because no program has replaced write().
  canQueue(message) {
    const { socket } = this;
    return this.handle !== null && socket.write === this.originalWrite && socket._httpMessage === message &&
      (message._isPlain || message.outputData.length === 0) && socket._writableState.canEnqueue;
  }

  // Writes [chunk, encoding, chunk, encoding, ...] for a message and calls onFinish(message) when it is written.
  writeAll(socket, chunks, message) {
    socket._idleTimer?.refresh();
    // A socket writes one message at a time.
    this.message = message;
    const result = streams.writeAll(this.handle.id, chunks, this.onWritten);
    if (result === 0) process.nextTick(onFinish, message);
    else if (result < 0) process.nextTick(this.onWritten, result);
  }

  // The binding has begun to write a chunk, and will call onChunkWritten.
  onChunkPending(size) {
    this.chunkDone = this.socket._writableState.beginPending(size);
    this.socket[kLastWriteQueueSize] = this.handle.writeQueueSize;
  }

  // Lets the stream read again.
  release() {
    if (this.handle === null) return;
    if (this.socket._handle === this.handle) this.handle.consume(null);
    this.handle = null;
    this.socket._consumer = null;
    this.socket.off('newListener', releaseOnReader).off('pause', onPause).off('resume', onResume);
  }

  // Stops passing data to the parser.
  detach() {
    this.release();
    this.socket.removeListener('data', this.ondata);
  }
}

// The stream has no data that it could stop to emit, so its handle is stopped.
function onPause() {
  const handle = this._handle;
  this._consumer.paused = true;
  if (!handle?.reading) return;
  handle.reading = false;
  handle.readStop();
}

function onResume() {
  const handle = this._handle;
  this._consumer.paused = false;
  if (this._paused) {
    this.pause();
  } else if (handle && !handle.reading) {
    handle.reading = true;
    handle.readStart();
  }
}

function releaseOnReader(event) {
  if (event === 'data' || event === 'readable') this._consumer?.release();
}

module.exports = SocketConsumer;
