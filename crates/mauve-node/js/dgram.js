// The module 'dgram': UDP sockets.
const EventEmitter = require('events');
const { Buffer } = require('buffer');
const { codes, errnoException, exceptionWithHostPort } = require('internal/errors');
const { validateAbortSignal, validateFunction, validateNumber, validatePort, validateString, validateUint32 } = require('internal/validators');
const { endpoint } = require('internal/net/handle');
const udp = binding('udp');
const errnos = binding('errno');
const kState = Symbol('state');

// The state of a socket. `id` is its handle in the binding, null once it is closed. `queue` holds the
// operations that wait until it is bound.
class State {
  constructor(options, lookup) {
    for (const name of ['recvBufferSize', 'sendBufferSize']) {
      if (options[name]) validateUint32(options[name], `options.${name}`);
    }
    this.id = udp.create();
    this.bindState = 'unbound';
    this.connectState = 'disconnected';
    this.queue = undefined;
    this.family = options.type === 'udp6' ? 6 : 4;
    this.reuseAddr = options.reuseAddr;
    this.ipv6Only = options.ipv6Only;
    this.recvBufferSize = options.recvBufferSize;
    this.sendBufferSize = options.sendBufferSize;
    this.find = lookup ?? ((...args) => require('dns').lookup(...args));
  }

  lookup(address, callback) { this.find(address || (this.family === 4 ? '127.0.0.1' : '::1'), this.family, callback); }
}

function Socket(type, listener) {
  EventEmitter.call(this);
  let options = {};
  let lookup;
  if (type !== null && typeof type === 'object') {
    options = type;
    ({ type, lookup } = options);
    if (lookup !== undefined) validateFunction(lookup, 'lookup');
  } else {
    options.type = type;
  }
  if (type !== 'udp4' && type !== 'udp6') throw new codes.ERR_SOCKET_BAD_TYPE();
  this.type = type;
  if (typeof listener === 'function') this.on('message', listener);
  this[kState] = new State(options, lookup);

  const { signal } = options;
  if (signal !== undefined) {
    validateAbortSignal(signal, 'options.signal');
    const onAbort = () => { if (this[kState].id) this.close(); };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  }
  require('internal/async_state').publish?.('udp.socket', { socket: this });
}
Object.setPrototypeOf(Socket.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Socket, EventEmitter);

// Returns the state of a socket. Throws if it is closed.
function running(socket) {
  const state = socket[kState];
  if (state.id === null) throw new codes.ERR_SOCKET_DGRAM_NOT_RUNNING();
  return state;
}

function check(errno, syscall) { if (errno) throw errnoException(errno, syscall); }

// --- binding -------------------------------------------------------------------------------------

Socket.prototype.bind = function bind(port, address, ...rest) {
  const state = running(this);
  if (state.bindState !== 'unbound') throw new codes.ERR_SOCKET_ALREADY_BOUND();
  state.bindState = 'binding';
  const cb = [port, address, ...rest].findLast((arg) => arg !== undefined && arg !== null);
  if (typeof cb === 'function') onceListening(this, cb);
  if (port !== null && typeof port === 'object') ({ address, port } = port);
  if (typeof port === 'function') port = 0;
  if (typeof address === 'function' || !address) address = state.family === 4 ? '0.0.0.0' : '::';

  state.lookup(address, (err, ip) => {
    if (state.id === null) return;
    if (!err) {
      const errno = udp.bind(state.id, ip, port || 0, !!state.ipv6Only, !!state.reuseAddr);
      if (errno) err = exceptionWithHostPort(errno, 'bind', ip, port);
    }
    if (err) {
      state.bindState = 'unbound';
      this.emit('error', err);
    } else {
      startListening(this, state);
    }
  });
  return this;
};

// Calls back when this bind succeeds; an error removes the listener.
function onceListening(socket, cb) {
  function remove() {
    socket.removeListener('error', remove);
    socket.removeListener('listening', onListening);
  }
  function onListening(...args) {
    remove();
    cb.apply(this, args);
  }
  socket.on('error', remove);
  socket.on('listening', onListening);
}

function startListening(socket, state) {
  udp.recvStart(state.id, (errno, data, from) => {
    if (errno) {
      socket.emit('error', errnoException(errno, 'recvmsg'));
      return;
    }
    const message = Buffer.from(data);
    const [address, family, port] = from;
    socket.emit('message', message,
      { address, family: `IPv${family}`, port, size: message.length });
  }, socket);
  state.bindState = 'bound';
  if (state.recvBufferSize) bufferSize(socket, state.recvBufferSize, false);
  if (state.sendBufferSize) bufferSize(socket, state.sendBufferSize, true);
  socket.emit('listening');
}

// Binds an unbound socket and defers `operation` until it is bound. Returns false if the socket is
// bound already; then the caller runs the operation.
function deferUntilBound(socket, state, operation) {
  if (state.bindState === 'unbound') socket.bind({ port: 0 }, null);
  if (state.bindState === 'bound') return false;
  if (state.queue === undefined) {
    state.queue = [];
    const onError = () => {
      socket.removeListener('listening', onListening);
      state.queue = undefined;
    };
    const onListening = () => {
      socket.removeListener('error', onError);
      const { queue } = state;
      state.queue = undefined;
      for (const queued of queue) queued();
    };
    socket.once('error', onError);
    socket.once('listening', onListening);
  }
  state.queue.push(operation);
  return true;
}

// --- connecting ----------------------------------------------------------------------------------

Socket.prototype.connect = function connect(port, address, callback) {
  const checkedPort = validatePort(port, 'Port', false);
  const [host = '', onConnect] = typeof address === 'function' ? [undefined, address] : [address, callback];
  validateString(host, 'address');
  const state = running(this);
  if (state.connectState !== 'disconnected') throw new codes.ERR_SOCKET_DGRAM_IS_CONNECTED();
  state.connectState = 'connecting';
  const operation = () => lookupAndConnect(this, state, checkedPort, host, onConnect);
  if (!deferUntilBound(this, state, operation)) operation();
};

function lookupAndConnect(socket, state, port, address, callback) {
  if (callback) socket.once('connect', callback);
  state.lookup(address, (err, ip) => {
    if (state.id === null) return;
    if (!err) {
      const errno = udp.connect(state.id, ip, port);
      if (errno) err = exceptionWithHostPort(errno, 'connect', address, port);
    }
    if (!err) {
      state.connectState = 'connected';
      process.nextTick(() => socket.emit('connect'));
      return;
    }
    state.connectState = 'disconnected';
    process.nextTick(() => {
      if (callback) {
        socket.removeListener('connect', callback);
        callback(err);
      } else {
        socket.emit('error', err);
      }
    });
  });
}

Socket.prototype.disconnect = function disconnect() {
  const state = this[kState];
  if (state.connectState !== 'connected') throw new codes.ERR_SOCKET_DGRAM_NOT_CONNECTED();
  check(udp.disconnect(state.id), 'connect');
  state.connectState = 'disconnected';
};

// --- sending -------------------------------------------------------------------------------------

const DATA = ['Buffer', 'TypedArray', 'DataView', 'string'];

function bytesOf(view) {
  if (typeof view === 'string') return Buffer.from(view);
  if (!ArrayBuffer.isView(view)) return null;
  return view instanceof Uint8Array ? view :
    Buffer.from(view.buffer, view.byteOffset, view.byteLength);
}

function slice(data, offset, length) {
  const buffer = bytesOf(data);
  if (buffer === null) throw new codes.ERR_INVALID_ARG_TYPE('buffer', DATA, data);
  offset >>>= 0;
  length >>>= 0;
  if (offset > buffer.byteLength) throw new codes.ERR_BUFFER_OUT_OF_BOUNDS('offset');
  if (offset + length > buffer.byteLength) throw new codes.ERR_BUFFER_OUT_OF_BOUNDS('length');
  return buffer.subarray(offset, offset + length);
}

function listOf(data) {
  if (!Array.isArray(data)) {
    const buffer = bytesOf(data);
    if (buffer === null) throw new codes.ERR_INVALID_ARG_TYPE('buffer', DATA, data);
    return [buffer];
  }
  const list = data.map(bytesOf);
  if (list.includes(null)) throw new codes.ERR_INVALID_ARG_TYPE('buffer list arguments', DATA, data);
  return list;
}

const functionOrUndefined = (value) => (typeof value === 'function' ? value : undefined);

// send(data[, offset, length][, callback]), on a connected socket.
function connectedArguments(data, offset, length, port, address, callback) {
  const hasRange = typeof length === 'number';
  const message = hasRange ? slice(data, offset, length) : data;
  const isCallback = hasRange && typeof port === 'function';
  if (address || (port && !isCallback)) throw new codes.ERR_SOCKET_DGRAM_IS_CONNECTED();
  const lastArgument = hasRange ? callback : offset;
  return { list: listOf(message), callback: functionOrUndefined(isCallback ? port : lastArgument) };
}

// send(data[, offset, length], port[, address][, callback]), on a socket that is not connected.
function unconnectedArguments(data, offset, length, port, address, callback) {
  const hasRange = address || (port && typeof port !== 'function');
  if (!hasRange) return destination(listOf(data), offset, length, port);
  return destination(listOf(slice(data, offset, length)), port, address, callback);
}

function destination(list, port, address, callback) {
  const checkedPort = validatePort(port, 'Port', false);
  if (typeof address === 'function') return { list, port: checkedPort, callback: address };
  if (address != null) validateString(address, 'address');
  return { list, port: checkedPort, address, callback: functionOrUndefined(callback) };
}

Socket.prototype.send = function send(data, offset, length, port, address, callback) {
  const isConnected = this[kState].connectState === 'connected';
  const parse = isConnected ? connectedArguments : unconnectedArguments;
  const request = parse(data, offset, length, port, address, callback);
  const state = running(this);
  const operation = () => {
    const sendToAddress = (err, ip) => sendTo(this, state, err, ip, request);
    if (isConnected) sendToAddress(null, null);
    else state.lookup(request.address, sendToAddress);
  };
  if (!deferUntilBound(this, state, operation)) operation();
};

// The old form of send().
Socket.prototype.sendto = function sendto(buffer, offset, length, port, address, callback) {
  validateNumber(offset, 'offset');
  validateNumber(length, 'length');
  validateNumber(port, 'port');
  validateString(address, 'address');
  this.send(buffer, offset, length, port, address, callback);
};

function sendTo(socket, state, err, ip, { list, address, port, callback }) {
  if (err) {
    process.nextTick(() => (callback ? callback(err) : socket.emit('error', err)));
    return;
  }
  if (state.id === null) return;
  const size = list.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const failed = (errno) => exceptionWithHostPort(errno, 'send', address, port);
  const result = udp.send(state.id, list, port ?? 0, ip, (errno) => { callback?.(errno ? failed(errno) : null, size); });
  if (!callback) return;
  if (result > 0) process.nextTick(callback, null, result - 1);
  else if (result < 0) process.nextTick(callback, failed(result));
}

// --- closing -------------------------------------------------------------------------------------

Socket.prototype.close = function close(callback) {
  if (typeof callback === 'function') this.on('close', callback);
  const state = this[kState];
  if (state.queue !== undefined) {
    state.queue.push(() => this.close());
    return this;
  }
  running(this);
  udp.close(state.id, undefined);
  state.id = null;
  process.nextTick(() => this.emit('close'));
  return this;
};

Socket.prototype[Symbol.asyncDispose ?? Symbol('asyncDispose')] = function asyncDispose() {
  return this[kState].id === null ? Promise.resolve() : new Promise((resolve) => { this.close(resolve); });
};

// --- options -------------------------------------------------------------------------------------

function addressOf(socket, getAddress, syscall) {
  const address = endpoint(getAddress, socket[kState].id);
  if (typeof address === 'number') throw errnoException(address, syscall);
  return address;
}

Socket.prototype.address = function address() {
  running(this);
  return addressOf(this, udp.localAddress, 'getsockname');
};

Socket.prototype.remoteAddress = function remoteAddress() {
  if (running(this).connectState !== 'connected') throw new codes.ERR_SOCKET_DGRAM_NOT_CONNECTED();
  return addressOf(this, udp.peerAddress, 'getpeername');
};

// Sets an option, whose name is that of the method and of the function of the binding.
function setOption(socket, name, value) { check(udp[name](running(socket).id, value), name); }

function setTimeToLive(socket, name, ttl) {
  validateNumber(ttl, 'ttl');
  setOption(socket, name, ttl);
  return ttl;
}

Object.assign(Socket.prototype, {
  setBroadcast(on) { setOption(this, 'setBroadcast', !!on); },
  setTTL(ttl) { return setTimeToLive(this, 'setTTL', ttl); },
  setMulticastTTL(ttl) { return setTimeToLive(this, 'setMulticastTTL', ttl); },

  setMulticastLoopback(on) {
    setOption(this, 'setMulticastLoopback', !!on);
    return on;
  },

  setMulticastInterface(interfaceAddress) {
    validateString(interfaceAddress, 'interfaceAddress');
    setOption(this, 'setMulticastInterface', interfaceAddress);
  },
});

for (const [name, join] of [['addMembership', true], ['dropMembership', false]]) {
  Socket.prototype[name] = { [name](multicastAddress, multicastInterface) {
    const { id } = running(this);
    if (!multicastAddress) throw new codes.ERR_MISSING_ARGS('multicastAddress');
    check(udp.setMembership(id, multicastAddress, multicastInterface, join), name);
  } }[name];
}

for (const [name, join] of [['addSourceSpecificMembership', true], ['dropSourceSpecificMembership', false]]) {
  Socket.prototype[name] = { [name](sourceAddress, groupAddress, multicastInterface) {
    const { id } = running(this);
    validateString(sourceAddress, 'sourceAddress');
    validateString(groupAddress, 'groupAddress');
    check(udp.setSourceMembership(id, sourceAddress, groupAddress, multicastInterface, join), name);
  } }[name];
}

function bufferSize(socket, size, isSending) {
  if (size >>> 0 !== size) throw new codes.ERR_SOCKET_BAD_BUFFER_SIZE();
  try {
    return udp.bufferSize(socket[kState].id ?? 0, isSending, size);
  } catch (errno) {
    if (typeof errno !== 'number') throw errno;
    const syscall = isSending ? 'uv_send_buffer_size' : 'uv_recv_buffer_size';
    throw new codes.ERR_SOCKET_BUFFER_SIZE({
      message: `${syscall} returned ${errnos.name(errno)} (${errnos.message(errno)})`,
    });
  }
}

Object.assign(Socket.prototype, {
  setRecvBufferSize(size) { bufferSize(this, size, false); },
  setSendBufferSize(size) { bufferSize(this, size, true); },
  getRecvBufferSize() { return bufferSize(this, 0, false); },
  getSendBufferSize() { return bufferSize(this, 0, true); },
  getSendQueueSize() { return udp.sendQueueSize(this[kState].id); },
  getSendQueueCount() { return udp.sendQueueCount(this[kState].id); },
  ref() { return setRef(this, true); },
  unref() { return setRef(this, false); },
});

function setRef(socket, on) {
  const { id } = socket[kState];
  if (id !== null) udp.setRef(id, on);
  return socket;
}

module.exports = { createSocket: (type, listener) => new Socket(type, listener), Socket };
