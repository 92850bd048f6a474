// The option `onread` of net.Socket: reads go to a buffer of the program and to its callback instead of the
// stream. `buffer` is a Uint8Array, or a function that is called for each read.
const { validateFunction } = require('internal/validators');

class BufferReader {
  constructor(socket, { buffer, callback }) {
    this.socket = socket;
    this.callback = callback;
    this.getBuffer = typeof buffer === 'function' ? buffer : () => buffer;
    this.buffer = this.getBuffer();
    // Bytes that arrived before the callback paused the socket.
    this.rest = null;
  }

  // Passes the bytes in parts of the buffer's size. Returns false if the socket shall stop to read.
  push(bytes) {
    const { socket } = this;
    for (let at = 0; at < bytes.length;) {
      const part = bytes.subarray(at, at + this.buffer.length);
      at += part.length;
      const { buffer } = this;
      buffer.set(part);
      const isPaused = this.callback.call(socket, part.length, buffer) === false || socket.isPaused();
      this.buffer = this.getBuffer();
      if (socket.destroyed || !isPaused) continue;
      if (at < bytes.length) this.rest = bytes.subarray(at);
      return false;
    }
    return true;
  }

  // Passes what is left from the last read. Returns whether the socket may read again.
  pushRest() {
    const { rest } = this;
    this.rest = null;
    return rest === null || this.push(rest);
  }
}

// Returns null without the option.
function createReader(socket, onread) {
  if (onread === null || typeof onread !== 'object') return null;
  const { buffer, callback } = onread;
  if (!(buffer instanceof Uint8Array) && typeof buffer !== 'function') return null;
  validateFunction(callback, 'options.onread.callback');
  return new BufferReader(socket, onread);
}

module.exports = { createReader };
