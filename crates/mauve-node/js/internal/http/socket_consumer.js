// Passes the bytes of a socket to an HTTP parser. If the socket has a native handle, they bypass the stream;
// only the end and errors pass through it. A listener for 'data' or 'readable' restores the stream.

const { errnoException } = require('internal/errors');
const { onFinish } = require('internal/http/outgoing');
const { StreamHandle } = require('internal/net/handle');
const { refreshTimer } = require('internal/net/socket_timeout');

class SocketConsumer {
  constructor(socket, parser, ondata) {
    this.socket = socket;
    this.ondata = ondata;
    this.handle = null;
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

  // Whether a write may bypass the stream, which must have no pending writes.
  canWrite() {
    const { socket } = this;
    const state = socket._writableState;
    return socket._handle === this.handle && this.handle !== null && socket.write === this.originalWrite &&
      state.length === 0 && state.corked === 0 && state.endState === 0;
  }

  // Writes a string for a message and calls onFinish(message) when it is written.
  write(text, isLatin1, message) {
    const { handle, socket } = this;
    refreshTimer(socket);
    const result = handle.writeText(text, isLatin1, (errno) => onWritten(socket, errno, message));
    if (result === 0) process.nextTick(onFinish, message);
    else if (result < 0) process.nextTick(onWritten, socket, result, message);
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

function onWritten(socket, errno, message) {
  if (errno !== 0 && !socket.destroyed) socket.destroy(errnoException(errno, 'write'));
  else if (errno === 0) onFinish(message);
}

// The stream has no data that it could stop to emit, so its handle is stopped.
function onPause() {
  const handle = this._handle;
  if (!handle?.reading) return;
  handle.reading = false;
  handle.readStop();
}

function onResume() {
  const handle = this._handle;
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
