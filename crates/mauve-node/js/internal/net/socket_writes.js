// _write and _writev of net.Socket. Chunks are written synchronously if the kernel buffer has room; for the
// rest the handle calls back. Before the connection is established, chunks wait for 'connect'.
const { Buffer } = require('buffer');
const { codes, errnoException } = require('internal/errors');
const { kPendingWrites } = require('internal/net/socket_properties');
const { kLastWriteQueueSize, refreshTimer } = require('internal/net/socket_timeout');

// Encodings that the binding encodes itself.
const NATIVE_ENCODINGS = new Set(['utf8', 'utf-8', 'latin1', 'binary']);

// A chunk and its encoding, as the binding takes them.
function toParts({ chunk, encoding }) {
  if (typeof chunk !== 'string' || NATIVE_ENCODINGS.has(encoding)) return [chunk, encoding];
  if (encoding === 'buffer') throw Object.assign(new TypeError('Second argument must be a buffer'), { code: 'ERR_INVALID_ARG_TYPE' });
  return [Buffer.from(chunk, encoding), 'buffer'];
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

// Writes chunks with one call of the binding.
function writeAll(socket, entries, cb) {
  if (socket.connecting) {
    deferUntilConnect(socket, entries, cb, () => writeAll(socket, entries, cb));
    return;
  }
  const handle = handleForWrite(socket, cb);
  if (!handle) return;
  const parts = entries.length === 1 ? toParts(entries[0]) : entries.flatMap(toParts);
  onDispatched(socket, handle, handle.writeAll(parts, (errno) => onWriteComplete(socket, errno, cb)), cb);
}

const methods = {
  _write(chunk, encoding, cb) { writeAll(this, [{ chunk, encoding }], cb); },
  _writev(entries, cb) { writeAll(this, entries, cb); },
};

module.exports = { methods, onWriteComplete };
