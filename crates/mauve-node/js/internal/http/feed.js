// Leads the bytes of a socket to a parser. If the socket has a native handle they go there without
// passing through the stream; the stream is told of the end and of errors, and gets everything again
// when somebody else wants to read.

const { view } = require('internal/buffer/class');
const { errnoException } = require('internal/errors');
const { onFinish } = require('internal/http/outgoing');
const { StreamHandle } = require('internal/net/handle');
const { touch } = require('internal/net/timeouts');

class Feed {
  constructor(socket, ondata) {
    this.socket = socket;
    this.ondata = ondata;
    this.handle = null;
    this.original = null;
    // Makes the stream flow, for its end; and stands by for data that come through it.
    socket.on('data', ondata);
    const handle = socket._handle;
    if (!(handle instanceof StreamHandle)) return;
    this.handle = handle;
    this.original = handle.onread;
    handle.onread = (errno, data) => {
      if (errno !== 0) {
        this.original(errno, data);
        return;
      }
      touch(socket);
      this.ondata(view(data, 0, data.byteLength));
    };
    socket._feed = this;
    socket.on('newListener', yieldToReader);
  }

  // Whether bytes come without anybody having to ask for them.
  isReading() {
    return this.handle?.reading ?? false;
  }

  pause() {
    const { handle } = this;
    if (this.socket._handle === handle && handle.reading) {
      handle.reading = false;
      handle.readStop();
    }
  }

  resume() {
    const { handle } = this;
    if (this.socket._handle === handle && !handle.reading) {
      handle.reading = true;
      handle.readStart();
    }
  }

  // Whether something can be written without the stream: nothing is under way in it.
  canWrite() {
    const { socket } = this;
    const state = socket._writableState;
    return this.handle !== null && socket._handle === this.handle && state.length === 0 &&
      state.corked === 0 && !state.ending && !state.writing && !state.destroyed;
  }

  // Writes a text for a message, which is told when it is gone.
  write(text, isLatin1, message) {
    const { handle, socket } = this;
    touch(socket);
    const result = handle.writeText(text, isLatin1, (errno) => written(socket, errno, message));
    if (result === 0) process.nextTick(onFinish, message);
    else if (result < 0) process.nextTick(written, socket, result, message);
  }

  // Gives the bytes back to the stream.
  release() {
    if (this.handle === null) return;
    this.handle.onread = this.original;
    this.handle = null;
    this.socket._feed = null;
    this.socket.removeListener('newListener', yieldToReader);
  }

  // Ends the parser's part altogether.
  detach() {
    this.release();
    this.socket.removeListener('data', this.ondata);
  }
}

function written(socket, errno, message) {
  if (errno !== 0 && !socket.destroyed) socket.destroy(errnoException(errno, 'write'));
  else if (errno === 0) onFinish(message);
}

function yieldToReader(event) {
  if (event === 'data' || event === 'readable') this._feed?.release();
}

module.exports = Feed;
