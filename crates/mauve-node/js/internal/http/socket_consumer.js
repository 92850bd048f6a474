// Passes the bytes of a socket to an HTTP parser. If the socket has a native handle, they bypass the stream;
// only the end and errors pass through it. A listener for 'data' or 'readable' restores the stream.
const { errnoException } = require('internal/errors');
const { onFinish } = require('internal/http/outgoing');
const { StreamHandle } = require('internal/net/handle');
const { kLastWriteQueueSize } = require('internal/net/socket_timeout');
const { onWriteComplete } = require('internal/net/socket_writes');
const { writeAll } = binding('stream');

// Fits into an empty send buffer of a socket, together with the end of a message.
const MAX_PENDING = 16 * 1024;
const NOTHING = Object.freeze([]);

class SocketConsumer {
  constructor(socket, parser, ondata) {
    this.socket = socket;
    this.ondata = ondata;
    this.handle = null;
    // Of the pending write: the message that it ends, and the callback of the stream.
    this.message = null;
    this.done = null;
    this.onWritten = (errno) => {
      const { done, message } = this;
      onWriteComplete(socket, errno, done);
      if (message !== null) onFinish(message, errno === 0 ? null : errnoException(errno, 'write'));
    };
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

  // Removes what the stream has queued in this tick, as parts, and ends its cork(). Returns null if the parts of a
  // message must pass through the stream: it has no native handle, or its write() was replaced, or another write is
  // pending, or what is queued has a callback, or comes before the message, or is long.
  takeQueued(isContinued) {
    const { handle, socket } = this;
    const stream = socket._writableState;
    if (handle === null || socket._handle !== handle || socket.write !== this.originalWrite) return null;
    if (stream.length === 0) return stream.corked === 0 && stream.endState === 0 ? NOTHING : null;
    return isContinued && stream.corked === 1 && stream.length < MAX_PENDING ? stream.takeChunks() : null;
  }

  // Writes parts of a message. Calls onFinish(message) when it is written, if they are the last.
  write(parts, message) {
    const { handle, socket } = this;
    socket._idleTimer?.refresh();
    const result = writeAll(handle.id, parts, this.onWritten);
    if (result > 0) {
      let size = 0;
      for (let i = 0; i < parts.length; i += 2) size += parts[i].length;
      this.message = message;
      this.done = socket._writableState.beginPending(size);
      socket[kLastWriteQueueSize] = handle.writeQueueSize;
    } else if (result < 0) {
      process.nextTick(destroyOnError, socket, result);
    } else if (message !== null) {
      process.nextTick(onFinish, message);
    }
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

function destroyOnError(socket, errno) { if (!socket.destroyed) socket.destroy(errnoException(errno, 'write')); }

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

function releaseOnReader(event) { if (event === 'data' || event === 'readable') this._consumer?.release(); }

module.exports = SocketConsumer;
