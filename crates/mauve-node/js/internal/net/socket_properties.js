// What a socket tells of itself: who is at either end, how it stands, how much went through.

const { Buffer } = require('buffer');

// The ends of the connection as the system has told them, or null.
const kLocal = Symbol('local');
const kPeer = Symbol('peer');
// Bytes that went through a handle that is gone: [read, written].
const kTotals = Symbol('totals');
// Chunks that wait for the connection, or null.
const kHeld = Symbol('held');

// One end of the connection. The system is asked once, for the answer does not change.
function endOf(socket, key, method) {
  if (socket[key] === null) {
    const found = socket._handle?.[method]?.();
    if (typeof found !== 'object') return {};
    socket[key] = found;
  }
  return socket[key];
}

const localEnd = (socket) => endOf(socket, kLocal, 'getsockname');

// Nobody is there before the connection is.
const peerEnd = (socket) =>
  (socket.connecting ? socket[kPeer] ?? {} : endOf(socket, kPeer, 'getpeername'));

function sizeOf({ chunk, encoding }) {
  return typeof chunk === 'string' ? Buffer.byteLength(chunk, encoding) : chunk.length;
}

const sum = (entries) => entries.reduce((total, entry) => total + sizeOf(entry), 0);

const READY_STATES = ['closed', 'readOnly', 'writeOnly', 'open'];

const facts = {
  _connecting: (socket) => socket.connecting,
  pending: (socket) => socket.connecting || !socket._handle,
  readyState: (socket) => (socket.connecting ? 'opening' :
    READY_STATES[(socket.readable ? 1 : 0) + (socket.writable ? 2 : 0)]),
  bufferSize: (socket) => (socket._handle ? socket.writableLength : undefined),
  bytesRead: (socket) => socket._handle?.bytesRead ?? socket[kTotals][0],
  _bytesDispatched: (socket) => socket._handle?.bytesWritten ?? socket[kTotals][1],
  // What the script has written, be it on its way or not.
  bytesWritten: (socket) => (socket._writableState ?
    socket._bytesDispatched + sum(socket._writableState.getBuffer()) + sum(socket[kHeld] ?? []) :
    undefined),
};

for (const [prefix, end] of [['remote', peerEnd], ['local', localEnd]]) {
  for (const part of ['address', 'family', 'port']) {
    const name = prefix + part[0].toUpperCase() + part.slice(1);
    facts[name] = (socket) => end(socket)[part];
  }
}

// Gives a prototype all of them.
function install(prototype) {
  for (const name in facts) {
    const tell = facts[name];
    Object.defineProperty(prototype, name, {
      configurable: true,
      enumerable: false,
      get() { return tell(this); },
    });
  }
  prototype.address = function address() {
    return localEnd(this);
  };
}

module.exports = { install, kHeld, kLocal, kPeer, kTotals, localEnd };
