// net.Socket: a native stream as a stream.Duplex.
//
// Connecting is in internal/net/connect. A socket begins without a handle, gets one from connect() or
// from its maker, and loses it when it is destroyed; 'close' comes when the handle is closed.

const { Duplex } = require('stream');
const { Buffer } = require('buffer');
const { view } = require('internal/buffer/class');
const { codes, errnoException, genericNodeError } = require('internal/errors');
const { validateAbortSignal, validateNumber } = require('internal/validators');
const { EOF, Pipe, TCP } = require('internal/net/handle');
const {
  kLastWriteQueueSize, kTimeout, refreshTimeout, setStreamTimeout,
} = require('internal/net/timeouts');
const { clearTimeout } = require('timers');

const kBytesRead = Symbol('bytesRead');
const kBytesWritten = Symbol('bytesWritten');
const kSetNoDelay = Symbol('setNoDelay');
const kSetKeepAlive = Symbol('setKeepAlive');
const kSetKeepAliveInitialDelay = Symbol('setKeepAliveInitialDelay');

// Not an error to the system: the peer is gone already.
const ENOTCONN = -107;

function noop() {}

function Socket(options) {
  if (!(this instanceof Socket)) return new Socket(options);
  if (options?.objectMode || options?.readableObjectMode || options?.writableObjectMode) {
    const name = options.objectMode ? 'objectMode' :
      options.readableObjectMode ? 'readableObjectMode' : 'writableObjectMode';
    throw new codes.ERR_INVALID_ARG_VALUE(`options.${name}`, options[name], 'is not supported');
  }
  if (options?.keepAliveInitialDelay !== undefined) {
    validateNumber(options.keepAliveInitialDelay, 'options.keepAliveInitialDelay');
    if (options.keepAliveInitialDelay < 0) options.keepAliveInitialDelay = 0;
  }
  if (typeof options === 'number') options = { fd: options };
  else options = { ...options };

  this.connecting = false;
  this._hadError = false;
  this._handle = null;
  this._parent = null;
  this._host = null;
  this._pendingData = null;
  this._pendingEncoding = '';
  this._sockname = null;
  this._peername = null;
  this._server = null;
  this.server = null;
  this.resetAndClosing = false;
  this[kTimeout] = null;
  this[kLastWriteQueueSize] = 0;
  this[kBytesRead] = 0;
  this[kBytesWritten] = 0;
  this[kSetNoDelay] = Boolean(options.noDelay);
  this[kSetKeepAlive] = Boolean(options.keepAlive);
  this[kSetKeepAliveInitialDelay] = ~~(options.keepAliveInitialDelay / 1000);

  options.allowHalfOpen = Boolean(options.allowHalfOpen);
  // 'close' carries an argument, so it is emitted here.
  options.emitClose = false;
  options.autoDestroy = true;
  options.decodeStrings = false;
  const { signal } = options;
  options.signal = undefined;
  Duplex.call(this, options);

  if (options.handle) {
    this._handle = options.handle;
  } else if (options.fd !== undefined) {
    this._handle = require('internal/net/open').open(options.fd);
  }
  this.on('end', onReadableStreamEnd);
  attach(this);

  if (this._handle && options.readable !== false && !options.noReadStart) {
    if (options.pauseOnCreate) {
      this._handle.reading = false;
      this._handle.readStop();
      this.readableFlowing = false;
    } else if (!options.manualStart) {
      this.read(0);
    }
  }
  if (signal) {
    validateAbortSignal(signal, 'options.signal');
    require('stream').addAbortSignal(signal, this);
  }
}
Object.setPrototypeOf(Socket.prototype, Duplex.prototype);
Object.setPrototypeOf(Socket, Duplex);

// Has the handle deliver to this socket.
function attach(socket) {
  socket._undestroy();
  socket._sockname = null;
  if (socket._handle) socket._handle.onread = (errno, data) => onread(socket, errno, data);
}

function onread(socket, errno, data) {
  socket._unrefTimer();
  if (errno === 0) {
    if (socket.destroyed) return;
    if (!socket.push(view(data, 0, data.byteLength))) {
      const handle = socket._handle;
      // Pushing may have destroyed it.
      if (handle === null) return;
      handle.reading = false;
      const err = handle.readStop();
      if (err) socket.destroy(errnoException(err, 'read'));
    }
    return;
  }
  if (errno !== EOF) {
    socket.destroy(errnoException(errno, 'read'));
    return;
  }
  if (!socket._readableState.endEmitted) {
    socket.push(null);
    socket.read(0);
  }
}

function onReadableStreamEnd() {
  if (!this.allowHalfOpen) this.write = writeAfterFIN;
}

// The peer has ended, and with it the socket, unless it may be half open.
function writeAfterFIN(chunk, encoding, cb) {
  if (!this.writableEnded) return Duplex.prototype.write.call(this, chunk, encoding, cb);
  if (typeof encoding === 'function') cb = encoding;
  const error = genericNodeError('This socket has been ended by the other party', { code: 'EPIPE' });
  if (typeof cb === 'function') process.nextTick(cb, error);
  this.destroy(error);
  return false;
}

Socket.prototype._unrefTimer = function unrefTimer() {
  if (this[kTimeout] !== null || this._parent !== null) refreshTimeout.call(this);
};
Socket.prototype.setTimeout = setStreamTimeout;

Socket.prototype._onTimeout = function onTimeout() {
  const last = this[kLastWriteQueueSize];
  if (last > 0 && this._handle) {
    // A write that gets on is no silence.
    const now = this._handle.writeQueueSize;
    if (last !== now) {
      this[kLastWriteQueueSize] = now;
      this._unrefTimer();
      return;
    }
  }
  this.emit('timeout');
};

// --- reading -------------------------------------------------------------------------------------

Socket.prototype._read = function _read(n) {
  if (this.connecting || !this._handle) {
    this.once('connect', () => this._read(n));
  } else if (!this._handle.reading) {
    startReading(this);
  }
};

function startReading(socket) {
  socket._handle.reading = true;
  const err = socket._handle.readStart();
  if (err) socket.destroy(errnoException(err, 'read'));
}

// --- writing -------------------------------------------------------------------------------------

Socket.prototype._write = function _write(data, encoding, cb) {
  this._writeGeneric(false, data, encoding, cb);
};

Socket.prototype._writev = function _writev(chunks, cb) {
  this._writeGeneric(true, chunks, '', cb);
};

Socket.prototype._writeGeneric = function _writeGeneric(isVector, data, encoding, cb) {
  if (this.connecting) {
    this._pendingData = data;
    this._pendingEncoding = encoding;
    const onClose = () => cb(new codes.ERR_SOCKET_CLOSED_BEFORE_CONNECTION());
    this.once('connect', function connect() {
      this.off('close', onClose);
      this._writeGeneric(isVector, data, encoding, cb);
    });
    this.once('close', onClose);
    return;
  }
  this._pendingData = null;
  this._pendingEncoding = '';
  const handle = this._handle;
  if (!handle) {
    cb(new codes.ERR_SOCKET_CLOSED());
    return;
  }
  this._unrefTimer();
  const done = (errno) => onWritten(this, errno, cb);
  const result = isVector ? writeVector(handle, data, done) : writeOne(handle, data, encoding, done);
  if (result === 0) {
    this[kLastWriteQueueSize] = 0;
    cb();
  } else if (result < 0) {
    cb(errnoException(result, 'write'));
  } else {
    this[kLastWriteQueueSize] = handle.writeQueueSize;
  }
};

function writeOne(handle, data, encoding, done) {
  if (typeof data !== 'string') return handle.writeBytes(data, done);
  switch (encoding) {
    case 'utf8': case 'utf-8':
      return handle.writeText(data, false, done);
    case 'latin1': case 'binary':
      return handle.writeText(data, true, done);
    default:
      return handle.writeBytes(Buffer.from(data, encoding), done);
  }
}

const NATIVE_ENCODINGS = new Set(['utf8', 'utf-8', 'latin1', 'binary']);

function writeVector(handle, chunks, done) {
  const all = [];
  for (const { chunk, encoding } of chunks) {
    if (typeof chunk === 'string' && !NATIVE_ENCODINGS.has(encoding)) {
      all.push(Buffer.from(chunk, encoding), 'buffer');
    } else {
      all.push(chunk, encoding);
    }
  }
  return handle.writeAll(all, done);
}

function onWritten(socket, errno, cb) {
  if (socket.destroyed) {
    cb(null);
    return;
  }
  if (errno < 0) {
    cb(errnoException(errno, 'write'));
    return;
  }
  socket._unrefTimer();
  socket[kLastWriteQueueSize] = 0;
  cb();
}

// --- the end -------------------------------------------------------------------------------------

Socket.prototype.end = function end(data, encoding, cb) {
  Duplex.prototype.end.call(this, data, encoding, cb);
  return this;
};

Socket.prototype._final = function _final(cb) {
  if (this.connecting) {
    this.once('connect', () => this._final(cb));
    return;
  }
  if (!this._handle) {
    cb();
    return;
  }
  const err = this._handle.shutdown(() => cb());
  if (err === ENOTCONN) cb();
  else if (err !== 0) cb(errnoException(err, 'shutdown'));
};

Socket.prototype.destroySoon = function destroySoon() {
  if (this.writable) this.end();
  if (this.writableFinished) this.destroy();
  else this.once('finish', this.destroy);
};

Socket.prototype.resetAndDestroy = function resetAndDestroy() {
  if (!this._handle) {
    this.destroy(new codes.ERR_SOCKET_CLOSED());
    return this;
  }
  if (!(this._handle instanceof TCP)) throw new codes.ERR_INVALID_HANDLE_TYPE();
  if (this.connecting) this.once('connect', () => this._reset());
  else this._reset();
  return this;
};

Socket.prototype._reset = function _reset() {
  this.resetAndClosing = true;
  return this.destroy();
};

Socket.prototype._destroy = function _destroy(exception, cb) {
  this.connecting = false;
  for (let stream = this; stream; stream = stream._parent) clearTimeout(stream[kTimeout]);
  const handle = this._handle;
  if (handle) {
    const isException = Boolean(exception);
    this[kBytesRead] = handle.bytesRead;
    this[kBytesWritten] = handle.bytesWritten;
    const closed = () => this.emit('close', isException);
    if (this.resetAndClosing) {
      this.resetAndClosing = false;
      const err = handle.reset(closed);
      if (err) this.emit('error', errnoException(err, 'reset'));
    } else {
      handle.close(closed);
    }
    handle.onread = noop;
    this._handle = null;
    this._sockname = null;
    cb(exception);
  } else {
    cb(exception);
    process.nextTick(() => this.emit('close'));
  }
  if (this._server) {
    this._server._connections--;
    this._server._emitCloseIfDrained?.();
  }
};

// --- options -------------------------------------------------------------------------------------

Socket.prototype.setNoDelay = function setNoDelay(enable) {
  const on = enable === undefined ? true : !!enable;
  if (!this._handle) {
    this[kSetNoDelay] = on;
  } else if (this._handle.setNoDelay && on !== this[kSetNoDelay]) {
    this[kSetNoDelay] = on;
    this._handle.setNoDelay(on);
  }
  return this;
};

Socket.prototype.setKeepAlive = function setKeepAlive(enable, initialDelayMsecs) {
  const on = Boolean(enable);
  const delay = ~~(initialDelayMsecs / 1000);
  if (!this._handle) {
    this[kSetKeepAlive] = on;
    this[kSetKeepAliveInitialDelay] = delay;
  } else if (this._handle.setKeepAlive &&
      (on !== this[kSetKeepAlive] || (on && this[kSetKeepAliveInitialDelay] !== delay))) {
    this[kSetKeepAlive] = on;
    this[kSetKeepAliveInitialDelay] = delay;
    this._handle.setKeepAlive(on, delay);
  }
  return this;
};

// Has the handle do what was asked for before there was one.
function applyOptions(socket) {
  const handle = socket._handle;
  if (socket[kSetNoDelay] && handle.setNoDelay) handle.setNoDelay(true);
  if (socket[kSetKeepAlive] && handle.setKeepAlive) {
    handle.setKeepAlive(true, socket[kSetKeepAliveInitialDelay]);
  }
}

Socket.prototype.ref = function ref() {
  if (!this._handle) this.once('connect', this.ref);
  else this._handle.ref();
  return this;
};

Socket.prototype.unref = function unref() {
  if (!this._handle) this.once('connect', this.unref);
  else this._handle.unref();
  return this;
};

// --- what it knows of itself ---------------------------------------------------------------------

Socket.prototype._getsockname = function _getsockname() {
  return nameOf(this, '_sockname', 'getsockname');
};

Socket.prototype._getpeername = function _getpeername() {
  if (this.connecting) return this._peername || {};
  return nameOf(this, '_peername', 'getpeername');
};

function nameOf(socket, cache, method) {
  if (!socket[cache]) {
    if (!socket._handle || !socket._handle[method]) return {};
    const name = socket._handle[method]();
    if (typeof name === 'number') return {};
    socket[cache] = name;
  }
  return socket[cache];
}

function getter(name, get) {
  Object.defineProperty(Socket.prototype, name, { get, enumerable: false, configurable: true });
}

getter('_connecting', function () { return this.connecting; });
getter('pending', function () { return !this._handle || this.connecting; });
getter('readyState', function () {
  if (this.connecting) return 'opening';
  if (this.readable && this.writable) return 'open';
  if (this.readable && !this.writable) return 'readOnly';
  if (!this.readable && this.writable) return 'writeOnly';
  return 'closed';
});
getter('bufferSize', function () {
  return this._handle ? this.writableLength : undefined;
});
getter('bytesRead', function () {
  return this._handle ? this._handle.bytesRead : this[kBytesRead];
});
getter('_bytesDispatched', function () {
  return this._handle ? this._handle.bytesWritten : this[kBytesWritten];
});
getter('bytesWritten', function () {
  let bytes = this._bytesDispatched;
  const state = this._writableState;
  if (!state) return undefined;
  const sizeOf = (chunk, encoding) =>
    (typeof chunk === 'string' ? Buffer.byteLength(chunk, encoding) : chunk.length);
  for (const { chunk, encoding } of state.getBuffer()) bytes += sizeOf(chunk, encoding);
  const pending = this._pendingData;
  if (Array.isArray(pending)) {
    for (const { chunk, encoding } of pending) bytes += sizeOf(chunk, encoding);
  } else if (pending) {
    bytes += sizeOf(pending, this._pendingEncoding);
  }
  return bytes;
});
getter('remoteAddress', function () { return this._getpeername().address; });
getter('remoteFamily', function () { return this._getpeername().family; });
getter('remotePort', function () { return this._getpeername().port; });
getter('localAddress', function () { return this._getsockname().address; });
getter('localPort', function () { return this._getsockname().port; });
getter('localFamily', function () { return this._getsockname().family; });

Socket.prototype.address = function address() {
  return this._getsockname();
};

Socket.prototype.connect = function connect(...args) {
  return require('internal/net/connect').connect(this, args);
};

module.exports = {
  Pipe, Socket, TCP, applyOptions, attach, kSetKeepAlive, kSetKeepAliveInitialDelay, kSetNoDelay,
};
