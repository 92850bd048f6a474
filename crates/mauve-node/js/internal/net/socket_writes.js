// How a socket writes: at once if it can, or as soon as it is connected. The system takes most of it
// at once; for the rest the handle calls back.

const { Buffer } = require('buffer');
const { codes, errnoException } = require('internal/errors');
const { kHeld } = require('internal/net/facts');
const { kBacklog, touch } = require('internal/net/timeouts');

// Texts that need not be made bytes of before the native side has them; true for one byte a character.
const NATIVE = { 'utf8': false, 'utf-8': false, 'latin1': true, 'binary': true };

function sendOne(handle, chunk, encoding, done) {
  if (typeof chunk !== 'string') return handle.writeBytes(chunk, done);
  const isLatin1 = NATIVE[encoding];
  if (isLatin1 === undefined) return handle.writeBytes(Buffer.from(chunk, encoding), done);
  return handle.writeText(chunk, isLatin1, done);
}

function sendAll(handle, entries, done) {
  const pairs = entries.flatMap(({ chunk, encoding }) => {
    const isNative = typeof chunk !== 'string' || encoding in NATIVE;
    return isNative ? [chunk, encoding] : [Buffer.from(chunk, encoding), 'buffer'];
  });
  return handle.writeAll(pairs, done);
}

// Keeps chunks until there is a connection, or tells their writer that there will be none.
function hold(socket, entries, cb, send) {
  const giveUp = () => cb(new codes.ERR_SOCKET_CLOSED_BEFORE_CONNECTION());
  socket[kHeld] = entries;
  socket.once('close', giveUp).once('connect', () => {
    socket.off('close', giveUp);
    socket[kHeld] = null;
    send();
  });
}

// The handle to write to; without one the writer is told.
function ready(socket, cb) {
  if (socket._handle) touch(socket);
  else cb(new codes.ERR_SOCKET_CLOSED());
  return socket._handle;
}

// Looks at what the handle has said: an error, 0 for done, or 1 for later.
function settle(socket, handle, result, cb) {
  if (result < 0) {
    cb(errnoException(result, 'write'));
    return;
  }
  socket[kBacklog] = result === 0 ? 0 : handle.writeQueueSize;
  if (result === 0) cb();
}

// The handle has called back.
function confirm(socket, errno, cb) {
  if (socket.destroyed) {
    cb(null);
  } else if (errno < 0) {
    cb(errnoException(errno, 'write'));
  } else {
    touch(socket);
    socket[kBacklog] = 0;
    cb();
  }
}

const methods = {
  _write(chunk, encoding, cb) {
    if (this.connecting) {
      hold(this, [{ chunk, encoding }], cb, () => this._write(chunk, encoding, cb));
      return;
    }
    const handle = ready(this, cb);
    if (!handle) return;
    const done = (errno) => confirm(this, errno, cb);
    settle(this, handle, sendOne(handle, chunk, encoding, done), cb);
  },

  _writev(entries, cb) {
    if (this.connecting) {
      hold(this, entries, cb, () => this._writev(entries, cb));
      return;
    }
    const handle = ready(this, cb);
    if (!handle) return;
    settle(this, handle, sendAll(handle, entries, (errno) => confirm(this, errno, cb)), cb);
  },
};

module.exports = { methods };
