// The properties of net.Socket: addresses, state and byte counts.
const { Buffer } = require('buffer');
const { defineGetters } = require('internal/util/getters');

// The results of getsockname() and getpeername(), or null.
const kSockname = Symbol('sockname');
const kPeername = Symbol('peername');
// The byte counts of a handle that has been closed: [read, written].
const kByteCounts = Symbol('byteCounts');
// Chunks that are written after the socket has connected, or null.
const kPendingWrites = Symbol('pendingWrites');

// Calls getsockname() or getpeername() once and caches the result.
function endpointOf(socket, key, method) {
  if (socket[key] === null) {
    const endpoint = socket._handle?.[method]?.();
    if (typeof endpoint !== 'object') return {};
    socket[key] = endpoint;
  }
  return socket[key];
}

const localEndpoint = (socket) => endpointOf(socket, kSockname, 'getsockname');

// There is no peer before the socket has connected.
const peerEndpoint = (socket) =>
  (socket.connecting ? socket[kPeername] ?? {} : endpointOf(socket, kPeername, 'getpeername'));

function sizeOf({ chunk, encoding }) { return typeof chunk === 'string' ? Buffer.byteLength(chunk, encoding) : chunk.length; }
const sum = (entries) => entries.reduce((total, entry) => total + sizeOf(entry), 0);
const READY_STATES = ['closed', 'readOnly', 'writeOnly', 'open'];

const properties = {
  _connecting: (socket) => socket.connecting,
  pending: (socket) => socket.connecting || !socket._handle,
  readyState: (socket) => (socket.connecting ? 'opening' :
    READY_STATES[(socket.readable ? 1 : 0) + (socket.writable ? 2 : 0)]),
  bufferSize: (socket) => (socket._handle ? socket.writableLength : undefined),
  bytesRead: (socket) => socket._handle?.bytesRead ?? socket[kByteCounts][0],
  _bytesDispatched: (socket) => socket._handle?.bytesWritten ?? socket[kByteCounts][1],
  // Includes chunks that are still buffered.
  bytesWritten: (socket) => (socket._writableState ?
    socket._bytesDispatched + sum(socket._writableState.getBuffer()) + sum(socket[kPendingWrites] ?? []) :
    undefined),
};

for (const [prefix, endpoint] of [['remote', peerEndpoint], ['local', localEndpoint]]) {
  for (const part of ['address', 'family', 'port']) {
    const name = prefix + part[0].toUpperCase() + part.slice(1);
    properties[name] = (socket) => endpoint(socket)[part];
  }
}

// Defines the getters on a prototype.
function defineSocketProperties(prototype) {
  defineGetters(prototype, properties, false);
  prototype.address = function address() { return localEndpoint(this); };
}

module.exports = { defineSocketProperties, kByteCounts, kPeername, kPendingWrites, kSockname, localEndpoint };
