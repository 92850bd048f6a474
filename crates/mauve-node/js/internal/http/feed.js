// Leads the bytes of a socket to a parser. If the socket has a native handle they go there without
// passing through the stream; the stream is told of the end and of errors, and gets everything again
// when somebody else wants to read.

const { Buffer } = require('buffer');
const { StreamHandle } = require('internal/net/handle');

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
      socket._unrefTimer();
      this.ondata(Buffer.from(data));
    };
    socket._feed = this;
    socket.on('newListener', yieldToReader);
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

function yieldToReader(event) {
  if (event === 'data' || event === 'readable') this._feed?.release();
}

module.exports = Feed;
