// _write and _writev of net.Socket. Chunks are written synchronously if the kernel buffer has room; for the
// rest the handle calls back. Before the connection is established, chunks wait for 'connect'.

const { Buffer } = require('buffer');
const { codes, errnoException } = require('internal/errors');
const { kPendingWrites } = require('internal/net/socket_properties');
const { kLastWriteQueueSize, refreshTimer } = require('internal/net/socket_timeout');

// Encodings that the binding encodes itself; true for one byte per character.
const NATIVE_ENCODINGS = { 'utf8': false, 'utf-8': false, 'latin1': true, 'binary': true };

function writeChunk(handle, chunk, encoding, done) {
  if (typeof chunk !== 'string') return handle.writeBytes(chunk, done);
  const isLatin1 = NATIVE_ENCODINGS[encoding];
  if (encoding === 'buffer') {
    throw Object.assign(new TypeError('Second argument must be a buffer'), { code: 'ERR_INVALID_ARG_TYPE' });
  }
  if (isLatin1 === undefined) return handle.writeBytes(Buffer.from(chunk, encoding), done);
  return handle.writeText(chunk, isLatin1, done);
}

function writeChunks(handle, entries, done) {
  const pairs = entries.flatMap(({ chunk, encoding }) => {
    const isNative = typeof chunk !== 'string' || encoding in NATIVE_ENCODINGS;
    return isNative ? [chunk, encoding] : [Buffer.from(chunk, encoding), 'buffer'];
  });
  return handle.writeAll(pairs, done);
}

// Defers a write until 'connect'. It fails if the socket closes before.
function deferUntilConnect(socket, entries, cb, send) {
  const onClose = () => cb(new codes.ERR_SOCKET_CLOSED_BEFORE_CONNECTION());
  socket[kPendingWrites] = entries;
  socket.once('close', onClose).once('connect', () => {
    socket.off('close', onClose);
    socket[kPendingWrites] = null;
    send();
  });
}

// Returns the handle. Without one the write fails.
function handleForWrite(socket, cb) {
  if (socket._handle) refreshTimer(socket);
  else cb(new codes.ERR_SOCKET_CLOSED());
  return socket._handle;
}

// Handles the result of a write: a negative errno, 0 for complete, or 1 for pending.
function onDispatched(socket, handle, result, cb) {
  if (result < 0) {
    cb(errnoException(result, 'write'));
    return;
  }
  socket[kLastWriteQueueSize] = result === 0 ? 0 : handle.writeQueueSize;
  if (result === 0) cb();
}

// The callback of a pending write.
function onWriteComplete(socket, errno, cb) {
  if (socket.destroyed) {
    cb(null);
  } else if (errno < 0) {
    cb(errnoException(errno, 'write'));
  } else {
    refreshTimer(socket);
    socket[kLastWriteQueueSize] = 0;
    cb();
  }
}

const methods = {
  _write(chunk, encoding, cb) {
    if (this.connecting) {
      deferUntilConnect(this, [{ chunk, encoding }], cb, () => this._write(chunk, encoding, cb));
      return;
    }
    const handle = handleForWrite(this, cb);
    if (!handle) return;
    const done = (errno) => onWriteComplete(this, errno, cb);
    onDispatched(this, handle, writeChunk(handle, chunk, encoding, done), cb);
  },

  _writev(entries, cb) {
    if (this.connecting) {
      deferUntilConnect(this, entries, cb, () => this._writev(entries, cb));
      return;
    }
    const handle = handleForWrite(this, cb);
    if (!handle) return;
    onDispatched(this, handle, writeChunks(handle, entries, (errno) => onWriteComplete(this, errno, cb)), cb);
  },
};

module.exports = { methods, onWriteComplete };
