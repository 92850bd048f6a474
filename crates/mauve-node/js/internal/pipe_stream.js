// A duplex stream over a pipe or a terminal handle of the binding: the standard streams and the IPC channel.

const { Duplex } = require('stream');
const { Buffer } = require('buffer');
const { errnoException } = require('internal/errors');
const native = binding('stdio_streams');

class PipeStream extends Duplex {
  #key;
  #reading = false;

  constructor(key, options) {
    super({ allowHalfOpen: false, decodeStrings: false, emitClose: false, autoDestroy: true, ...options });
    this.#key = key;
    this.bytesRead = 0;
    this._bytesDispatched = 0;
    this.on('end', onReadEnd);
    if (options?.manualStart !== true && options?.readable !== false) this.read(0);
  }

  get bytesWritten() {
    return this._bytesDispatched + this.writableLength;
  }

  get pending() {
    return false;
  }

  _read() {
    if (this.#reading || this.#key === 0) return;
    this.#reading = true;
    try {
      native.readStart(this.#key, (errno, bytes) => this.#onRead(errno, bytes));
    } catch (errno) {
      if (typeof errno !== 'number') throw errno;
      this.destroy(errnoException(errno, 'read'));
    }
  }

  #onRead(errno, bytes) {
    if (this.#key === 0) return;
    if (errno !== 0) {
      this.#stop();
      this.destroy(errnoException(errno, 'read'));
    } else if (bytes === undefined) {
      this.#stop();
      this.push(null);
      this.read(0);
    } else {
      this.bytesRead += bytes.length;
      if (!this.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))) this.#stop();
    }
  }

  #stop() {
    if (!this.#reading) return;
    this.#reading = false;
    if (this.#key !== 0) native.readStop(this.#key);
  }

  // Called when standard input is paused, so that it does not keep the process running.
  stopReading() {
    this.#stop();
  }

  _write(chunk, encoding, cb) {
    if (typeof chunk === 'string') chunk = Buffer.from(chunk, encoding);
    this.#send(chunk, cb);
  }

  _writev(items, cb) {
    const toBytes = ({ chunk, encoding }) => (typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk);
    this.#send(Buffer.concat(items.map(toBytes)), cb);
  }

  #send(bytes, cb) {
    if (this.#key === 0) {
      cb(errnoException(-9, 'write'));
      return;
    }
    this._bytesDispatched += bytes.length;
    const writeError = (errno) => errnoException(errno, 'write');
    let done;
    try {
      done = native.write(this.#key, bytes, (errno) => cb(errno === 0 ? null : writeError(errno)));
    } catch (errno) {
      if (typeof errno !== 'number') throw errno;
      cb(writeError(errno));
      return;
    }
    if (done) cb();
  }

  _final(cb) {
    if (this.#key === 0) {
      cb();
      return;
    }
    try {
      native.shutdown(this.#key, (errno) => {
        // ENOTCONN: the peer has already closed its side.
        cb(errno === 0 || errno === -107 ? null : errnoException(errno, 'shutdown'));
      });
    } catch {
      cb();
    }
  }

  _destroy(err, cb) {
    const key = this.#key;
    if (key === 0) {
      cb(err);
      return;
    }
    this.#stop();
    this.#key = 0;
    native.close(key, () => {
      this.emit('close', !!err);
    });
    cb(err);
  }

  // Destroys the stream after all writes have finished.
  destroySoon() {
    if (this.writable) this.end();
    const isFinished = this.writableFinished;
    if (isFinished) this.destroy();
    else this.once('finish', this.destroy);
  }

  setRawMode(on) {
    native.setRawMode(this.#key, !!on);
    this.isRaw = !!on;
    return this;
  }

  ref() {
    if (this.#key !== 0) native.setRef(this.#key, true);
    return this;
  }

  unref() {
    if (this.#key !== 0) native.setRef(this.#key, false);
    return this;
  }
}
Object.defineProperty(PipeStream, 'name', { value: 'Socket' });

function onReadEnd() {
  if (!this.allowHalfOpen) this.write = writeAfterEnd;
}

// Replaces write() after the peer has ended: fails with EPIPE.
function writeAfterEnd(chunk, encoding, cb) {
  if (!this.allowHalfOpen && this.writableEnded) return Duplex.prototype.write.call(this, chunk, encoding, cb);
  if (typeof encoding === 'function') cb = encoding;
  const err = new Error('This socket has been ended by the other party');
  err.code = 'EPIPE';
  if (typeof cb === 'function') process.nextTick(cb, err);
  this.destroy(err);
  return false;
}

module.exports = { PipeStream };
