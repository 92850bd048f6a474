// net.Socket: a native stream as a stream.Duplex.
//
// A socket gets its handle from connect() (internal/net/connect) or from the `handle` and `fd` options.
// destroy() closes the handle, and 'close' is emitted when it is closed. socket_properties.js has the
// getters, socket_options.js and socket_timeout.js the setters, socket_writes.js _write and _writev.
const stream = require('stream');
const { view } = require('internal/buffer/class');
const { codes, errnoException, genericNodeError } = require('internal/errors');
const { validateAbortSignal } = require('internal/validators');
const { defineSocketProperties, kByteCounts, kPeername, kPendingWrites, kSockname } = require('internal/net/socket_properties');
const { EOF, Pipe, TCP } = require('internal/net/handle');
const timeout = require('internal/net/socket_timeout');
const socketOptions = require('internal/net/socket_options');
const writes = require('internal/net/socket_writes');
const { Duplex } = stream;
const { clearTimer, kLastWriteQueueSize, refreshTimer } = timeout;
const { kSocketOptions } = socketOptions;

// The reader of the option `onread`, or null.
const kReader = Symbol('reader');
// The method that closes the handle: 'close', or 'reset' to send a RST.
const kCloseMethod = Symbol('closeMethod');
// The method of a server that a closed socket calls.
const kOnSocketClosed = Symbol('onSocketClosed');

// shutdown() fails with this if the peer has already closed the connection.
const ENOTCONN = -107;
const NO_BYTES = Object.freeze([0, 0]);
const UNSUPPORTED = ['objectMode', 'readableObjectMode', 'writableObjectMode'];

function noop() {}

function Socket(options) {
  if (!(this instanceof Socket)) return new Socket(options);
  const settings = typeof options === 'number' ? { fd: options } : { ...options };
  const unsupported = UNSUPPORTED.find((name) => settings[name]);
  if (unsupported !== undefined) throw new codes.ERR_INVALID_ARG_VALUE(`options.${unsupported}`, settings[unsupported], 'is not supported');
  const delay = socketOptions.checkedDelay(settings);
  const parents = { _parent: null, _host: null, _server: null, server: null };
  Object.assign(this, { connecting: false, _hadError: false, _handle: null }, parents);
  this[kLastWriteQueueSize] = 0;
  this[kCloseMethod] = 'close';
  this[kPendingWrites] = null;
  this[kSockname] = null;
  this[kPeername] = null;
  this[kByteCounts] = NO_BYTES;
  this[kSocketOptions] = socketOptions.socketOptionsOf(settings, delay);
  this[kReader] = settings.onread ? require('internal/net/onread').createReader(this, settings.onread) : null;

  Duplex.call(this, {
    ...settings,
    allowHalfOpen: !!settings.allowHalfOpen,
    autoDestroy: true,
    decodeStrings: false,
    // _destroy emits 'close' itself, with the argument hadError.
    emitClose: false,
    // Registered below, after the handle is set.
    signal: undefined,
  });
  this.on('end', onPeerEnd);
  if (settings.handle) this._handle = settings.handle;
  else if (settings.fd !== undefined) this._handle = require('internal/net/open').open(settings.fd);
  initSocketHandle(this);
  const readsNow = this._handle !== null && settings.readable !== false && !settings.noReadStart;
  if (readsNow) startUnlessPaused(this, settings);
  if (settings.signal) {
    validateAbortSignal(settings.signal, 'options.signal');
    stream.addAbortSignal(settings.signal, this);
  }
}
Object.setPrototypeOf(Socket.prototype, Duplex.prototype);
Object.setPrototypeOf(Socket, Duplex);

// Connects a new handle to the socket.
function initSocketHandle(socket) {
  socket._undestroy();
  socket[kSockname] = null;
  const handle = socket._handle;
  if (handle === null) return;
  handle.onread = (errno, bytes) => onRead(socket, errno, bytes);
  handle.owner = socket;
}

// Starts reading from the handle that was passed to the constructor.
function startUnlessPaused(socket, { manualStart, pauseOnCreate }) {
  if (pauseOnCreate) {
    stopReading(socket);
    socket.readableFlowing = false;
  } else if (!manualStart) {
    socket.read(0);
  }
}

// --- reading -------------------------------------------------------------------------------------

function onRead(socket, errno, bytes) {
  refreshTimer(socket);
  switch (errno) {
    case 0:
      // push() may destroy the socket.
      if (!push(socket, view(bytes, 0, bytes.byteLength)) && socket._handle) destroyOnError(socket, stopReading(socket));
      break;
    case EOF:
      if (socket._readableState.endEmitted) break;
      socket.push(null);
      socket.read(0);
      break;
    default:
      destroyOnError(socket, errno);
  }
}

function push(socket, bytes) {
  if (socket[kReader] === null && socket.push === Duplex.prototype.push) return socket._readableState.pushBuffer(bytes);
  return socket.destroyed || (socket[kReader] ?? socket).push(bytes);
}

function destroyOnError(socket, errno) { if (errno) socket.destroy(errnoException(errno, 'read')); }

function startReading(socket) {
  const handle = socket._handle;
  if (!handle || handle.reading) return;
  handle.reading = true;
  destroyOnError(socket, handle.readStart());
}

function stopReading({ _handle: handle }) {
  handle.reading = false;
  return handle.readStop();
}

// Calls `action` now if `isReady`, otherwise on 'connect'.
function whenConnected(socket, isReady, action) {
  if (isReady) action();
  else socket.once('connect', action);
  return socket;
}

// Without allowHalfOpen the end of the peer also ends this side.
function onPeerEnd() { if (!this.allowHalfOpen) this.write = writeAfterPeerEnd; }

function writeAfterPeerEnd(chunk, encoding, cb) {
  // The peer has ended before end() was called here.
  if (!this.writableEnded) return Duplex.prototype.write.call(this, chunk, encoding, cb);
  const error = genericNodeError('This socket has been ended by the other party', { code: 'EPIPE' });
  const callback = typeof encoding === 'function' ? encoding : cb;
  if (typeof callback === 'function') process.nextTick(callback, error);
  this.destroy(error);
  return false;
}

const methods = {
  connect(...args) { return require('internal/net/connect').connect(this, args); },

  _read() {
    if (this.pending) this.once('connect', () => startReading(this));
    else startReading(this);
  },

  // With `onread` the stream has no data, so these stop and start the handle.
  pause() {
    if (this[kReader] !== null && !this.connecting && this._handle?.reading) stopReading(this);
    return Duplex.prototype.pause.call(this);
  },

  resume() {
    if (this[kReader] !== null && !this.connecting && this._handle && !this._handle.reading) {
      process.nextTick(() => { if (!this.destroyed && this[kReader].pushRest()) startReading(this); });
    }
    return Duplex.prototype.resume.call(this);
  },

  // --- the end

  _final(cb) {
    whenConnected(this, !this.connecting, () => {
      const errno = this._handle ? this._handle.shutdown(() => cb()) : ENOTCONN;
      if (errno === ENOTCONN) cb();
      else if (errno !== 0) cb(errnoException(errno, 'shutdown'));
    });
  },

  destroySoon() {
    if (this.writable) this.end();
    if (!this.writableFinished) this.once('finish', this.destroy);
    else this.destroy();
  },

  resetAndDestroy() {
    if (this._handle === null) return this.destroy(new codes.ERR_SOCKET_CLOSED());
    if (!(this._handle instanceof TCP)) throw new codes.ERR_INVALID_HANDLE_TYPE();
    return whenConnected(this, !this.connecting, () => {
      this[kCloseMethod] = 'reset';
      this.destroy();
    });
  },

  _destroy(error, cb) {
    this.connecting = false;
    clearTimer(this);
    if (this._handle) {
      closeHandle(this, !!error);
      cb(error);
    } else {
      cb(error);
      process.nextTick(() => this.emit('close'));
    }
    this._server?.[kOnSocketClosed]?.();
  },

  // --- ref and unref

  ref() { return whenConnected(this, this._handle, () => this._handle?.ref()); },
  unref() { return whenConnected(this, this._handle, () => this._handle?.unref()); },
};

// Closes or resets the handle.
function closeHandle(socket, isError) {
  const handle = socket._handle;
  const method = socket[kCloseMethod];
  socket[kByteCounts] = [handle.bytesRead, handle.bytesWritten];
  socket[kCloseMethod] = 'close';
  const errno = handle[method](() => socket.emit('close', isError));
  if (method === 'reset' && errno) socket.emit('error', errnoException(errno, method));
  handle.onread = noop;
  handle.owner = null;
  socket._handle = null;
  socket[kSockname] = null;
}

Object.assign(Socket.prototype, methods, writes.methods, timeout.methods, socketOptions.methods);
defineSocketProperties(Socket.prototype);

module.exports = { Pipe, Socket, TCP, initSocketHandle, kOnSocketClosed };
