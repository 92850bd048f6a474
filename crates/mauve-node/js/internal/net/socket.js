// net.Socket: a native stream as a stream.Duplex.
//
// A socket begins without a handle, gets one from connect() (see internal/net/connect) or from its
// maker, and loses it when it is destroyed; 'close' comes when the handle is closed. What it tells of
// itself is in facts.js, what can be set on it in tuning.js and timeouts.js, how it writes in
// writing.js.

const stream = require('stream');
const { view } = require('internal/buffer/class');
const { codes, errnoException, genericNodeError } = require('internal/errors');
const { validateAbortSignal } = require('internal/validators');
const facts = require('internal/net/facts');
const { EOF, Pipe, TCP } = require('internal/net/handle');
const timeouts = require('internal/net/timeouts');
const tuning = require('internal/net/tuning');
const writing = require('internal/net/writing');

const { Duplex } = stream;
const { kHeld, kLocal, kPeer, kTotals } = facts;
const { disarm, kAlarm, kBacklog, touch } = timeouts;
const { kTuning } = tuning;

// How the handle is to be closed: 'close', or 'reset' to leave the peer without a goodbye.
const kFarewell = Symbol('farewell');
// By this a server is told that one of its sockets is gone.
const kGone = Symbol('gone');

// The system's word for a peer that has left before we could.
const ENOTCONN = -107;

const NONE_YET = Object.freeze([0, 0]);
const UNSUPPORTED = ['objectMode', 'readableObjectMode', 'writableObjectMode'];

function ignore() {}

function Socket(options) {
  if (!(this instanceof Socket)) return new Socket(options);
  const given = typeof options === 'number' ? { fd: options } : { ...options };
  const unsupported = UNSUPPORTED.find((name) => given[name]);
  if (unsupported !== undefined) {
    throw new codes.ERR_INVALID_ARG_VALUE(`options.${unsupported}`, given[unsupported], 'is not supported');
  }
  const delay = tuning.checkedDelay(given);
  Object.assign(this, {
    connecting: false,
    _hadError: false,
    _handle: null,
    _parent: null,
    _host: null,
    _server: null,
    server: null,
  });
  this[kAlarm] = null;
  this[kBacklog] = 0;
  this[kFarewell] = 'close';
  this[kHeld] = null;
  this[kLocal] = null;
  this[kPeer] = null;
  this[kTotals] = NONE_YET;
  this[kTuning] = tuning.tuningOf(given, delay);

  Duplex.call(this, {
    ...given,
    allowHalfOpen: !!given.allowHalfOpen,
    autoDestroy: true,
    decodeStrings: false,
    // 'close' says whether there was an error, and comes later: see _destroy.
    emitClose: false,
    // Comes last, when there is something to abort.
    signal: undefined,
  });
  if (given.handle) this._handle = given.handle;
  else if (given.fd !== undefined) this._handle = require('internal/net/open').open(given.fd);
  adopt(this);
  if (this._handle !== null && given.readable !== false && !given.noReadStart) begin(this, given);
  if (given.signal) {
    validateAbortSignal(given.signal, 'options.signal');
    stream.addAbortSignal(given.signal, this);
  }
}
Object.setPrototypeOf(Socket.prototype, Duplex.prototype);
Object.setPrototypeOf(Socket, Duplex);

// Makes the handle that a socket has just got deliver to it.
function adopt(socket) {
  socket._undestroy();
  socket[kLocal] = null;
  const handle = socket._handle;
  if (handle !== null) handle.onread = (errno, bytes) => receive(socket, errno, bytes);
}

// A socket that comes with a handle reads at once, unless its maker wants it otherwise.
function begin(socket, { manualStart, pauseOnCreate }) {
  if (pauseOnCreate) {
    rest(socket);
    socket.readableFlowing = false;
  } else if (!manualStart) {
    socket.read(0);
  }
}

// --- reading -------------------------------------------------------------------------------------

function receive(socket, errno, bytes) {
  touch(socket);
  switch (errno) {
    case 0:
      // Pushing may destroy the socket, and then there is nothing to stop.
      if (!socket.destroyed && !socket.push(view(bytes, 0, bytes.byteLength)) && socket._handle) {
        failIf(socket, rest(socket));
      }
      break;
    case EOF:
      if (socket._readableState.endEmitted) break;
      socket.push(null);
      socket.read(0);
      break;
    default:
      failIf(socket, errno);
  }
}

function failIf(socket, errno) {
  if (errno) socket.destroy(errnoException(errno, 'read'));
}

function startReading(socket) {
  const handle = socket._handle;
  if (!handle || handle.reading) return;
  handle.reading = true;
  failIf(socket, handle.readStart());
}

function rest({ _handle: handle }) {
  handle.reading = false;
  return handle.readStop();
}

// Does something as soon as there is a connection.
function whenConnected(socket, isReady, action) {
  if (isReady) action();
  else socket.once('connect', action);
  return socket;
}

function refuse(socket, cb) {
  const error = genericNodeError('This socket has been ended by the other party', { code: 'EPIPE' });
  if (typeof cb === 'function') process.nextTick(cb, error);
  socket.destroy(error);
  return false;
}

const methods = {
  connect(...args) {
    return require('internal/net/connect').connect(this, args);
  },

  _read() {
    if (this.pending) this.once('connect', () => startReading(this));
    else startReading(this);
  },

  // If the peer's end was ours too, writing is no mistake of order but comes too late.
  write(chunk, encoding, cb) {
    if (this.writableEnded && this.readableEnded && !this.allowHalfOpen) {
      return refuse(this, typeof encoding === 'function' ? encoding : cb);
    }
    return Duplex.prototype.write.call(this, chunk, encoding, cb);
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
      this[kFarewell] = 'reset';
      this.destroy();
    });
  },

  _destroy(error, cb) {
    this.connecting = false;
    disarm(this);
    if (this._handle) {
      part(this, !!error);
      cb(error);
    } else {
      cb(error);
      process.nextTick(() => this.emit('close'));
    }
    this._server?.[kGone]?.();
  },

  // --- whether it keeps the script running

  ref() {
    return whenConnected(this, this._handle, () => this._handle?.ref());
  },

  unref() {
    return whenConnected(this, this._handle, () => this._handle?.unref());
  },
};

// Closes the handle, in the way that was asked for.
function part(socket, isError) {
  const handle = socket._handle;
  const farewell = socket[kFarewell];
  socket[kTotals] = [handle.bytesRead, handle.bytesWritten];
  socket[kFarewell] = 'close';
  const errno = handle[farewell](() => socket.emit('close', isError));
  if (farewell === 'reset' && errno) socket.emit('error', errnoException(errno, farewell));
  handle.onread = ignore;
  socket._handle = null;
  socket[kLocal] = null;
}

Object.assign(Socket.prototype, methods, writing.methods, timeouts.methods, tuning.methods);
facts.install(Socket.prototype);

module.exports = { Pipe, Socket, TCP, adopt, kGone };
