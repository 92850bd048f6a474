// net.Server: takes connections and hands them out as sockets.

const EventEmitter = require('events');
const { codes, errnoException, uvExceptionWithHostPort } = require('internal/errors');
const {
  validateAbortSignal, validateFunction, validateNumber, validatePort,
} = require('internal/validators');
const { isPipeName, normalizeArgs, toNumber } = require('internal/net/arguments');
const {
  Pipe, Socket, TCP, kSetKeepAlive, kSetKeepAliveInitialDelay, kSetNoDelay,
} = require('internal/net/socket');

// What listen() tells the system if nobody says otherwise.
const BACKLOG = 511;

function Server(options, connectionListener) {
  if (!(this instanceof Server)) return new Server(options, connectionListener);
  EventEmitter.call(this);
  if (typeof options === 'function') {
    connectionListener = options;
    options = {};
  } else if (options == null || typeof options === 'object') {
    options = { ...options };
  } else {
    throw new codes.ERR_INVALID_ARG_TYPE('options', 'Object', options);
  }
  if (connectionListener !== undefined && connectionListener !== null) {
    this.on('connection', connectionListener);
  }
  if (options.keepAliveInitialDelay !== undefined) {
    validateNumber(options.keepAliveInitialDelay, 'options.keepAliveInitialDelay');
    if (options.keepAliveInitialDelay < 0) options.keepAliveInitialDelay = 0;
  }
  if (options.highWaterMark !== undefined) {
    validateNumber(options.highWaterMark, 'options.highWaterMark');
    if (options.highWaterMark < 0) {
      options.highWaterMark = require('stream').getDefaultHighWaterMark(false);
    }
  }
  this._connections = 0;
  this._handle = null;
  this._unref = false;
  this._pipeName = undefined;
  this._connectionKey = undefined;
  this.allowHalfOpen = options.allowHalfOpen || false;
  this.pauseOnConnect = !!options.pauseOnConnect;
  this.noDelay = Boolean(options.noDelay);
  this.keepAlive = Boolean(options.keepAlive);
  this.keepAliveInitialDelay = ~~(options.keepAliveInitialDelay / 1000);
  this.highWaterMark = options.highWaterMark ?? require('stream').getDefaultHighWaterMark(false);
}
Object.setPrototypeOf(Server.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Server, EventEmitter);

Server.prototype.listen = function listen(...args) {
  const [options, cb] = normalizeArgs(args);
  if (this._handle) throw new codes.ERR_SERVER_ALREADY_LISTEN();
  if (cb !== null) this.once('listening', cb);
  const backlog = options.backlog ||
    toNumber(args.length > 1 && args[1]) || toNumber(args.length > 2 && args[2]) || BACKLOG;

  const given = options._handle || options.handle;
  if (given instanceof TCP || given instanceof Pipe) {
    this._handle = given;
    this[kStart](null, -1, -1, backlog);
    return this;
  }
  if (options.signal !== undefined) {
    validateAbortSignal(options.signal, 'options.signal');
    if (options.signal.aborted) process.nextTick(() => this.close());
    else options.signal.addEventListener('abort', () => this.close(), { once: true });
  }
  if (typeof options.fd === 'number' && options.fd >= 0) {
    this._handle = require('internal/net/open').open(options.fd);
    this[kStart](null, null, null, backlog);
    return this;
  }
  if (args.length === 0 || typeof args[0] === 'function' ||
      (options.port === undefined && 'port' in options) || options.port === null) {
    options.port = 0;
  }
  if (typeof options.port === 'number' || typeof options.port === 'string') {
    validatePort(options.port, 'options.port');
    if (options.host) {
      lookupAndListen(this, options.port | 0, options.host, backlog, options.ipv6Only);
    } else {
      this[kStart](null, options.port | 0, 4, backlog, options.ipv6Only);
    }
    return this;
  }
  if (options.path && isPipeName(options.path)) {
    this._pipeName = options.path;
    this[kStart](options.path, -1, -1, backlog);
    return this;
  }
  if (!(('port' in options) || ('path' in options))) {
    throw new codes.ERR_INVALID_ARG_VALUE('options', options,
      'must have the property "port" or "path"');
  }
  throw new codes.ERR_INVALID_ARG_VALUE('options', options);
};

function lookupAndListen(server, port, host, backlog, onlyV6) {
  require('dns').lookup(host, (err, ip, family) => {
    if (err) server.emit('error', err);
    else server[kStart](ip, port, ip ? family : 4, backlog, onlyV6);
  });
}

// A bound handle, or the number of an error.
function createHandle(address, port, family, onlyV6) {
  const isPipe = port === -1 && family === -1;
  const handle = isPipe ? new Pipe() : new TCP();
  const errno = isPipe ? handle.bind(address) : handle.bind(address, port, onlyV6);
  if (!errno) return handle;
  handle.close();
  return errno;
}

const kStart = Symbol('start');

Server.prototype[kStart] = function start(address, port, family, backlog, onlyV6) {
  const tellError = (errno) => {
    const error = uvExceptionWithHostPort(errno, 'listen', address, port);
    process.nextTick(() => this.emit('error', error));
  };
  if (!this._handle) {
    let handle = null;
    if (!address) {
      // All addresses of both kinds, or of the fourth version if the sixth is not there.
      handle = createHandle('::', port, 6, onlyV6);
      if (typeof handle === 'number') {
        handle = null;
        address = '0.0.0.0';
        family = 4;
      } else {
        address = '::';
        family = 6;
      }
    }
    handle ??= createHandle(address, port, family, onlyV6);
    if (typeof handle === 'number') {
      tellError(handle);
      return;
    }
    this._handle = handle;
  }
  const errno = this._handle.listen(backlog, (err, handle) => onconnection(this, err, handle));
  if (errno) {
    this._handle.close();
    this._handle = null;
    tellError(errno);
    return;
  }
  this._connectionKey = `${family}:${address}:${port}`;
  if (this._unref) this.unref();
  process.nextTick(() => {
    if (this._handle) this.emit('listening');
  });
};

function onconnection(server, errno, handle) {
  if (errno) {
    server.emit('error', errnoException(errno, 'accept'));
    return;
  }
  if (server.maxConnections != null && server._connections >= server.maxConnections) {
    drop(server, handle);
    return;
  }
  const socket = new Socket({
    handle,
    allowHalfOpen: server.allowHalfOpen,
    pauseOnCreate: server.pauseOnConnect,
    readable: true,
    writable: true,
    readableHighWaterMark: server.highWaterMark,
    writableHighWaterMark: server.highWaterMark,
  });
  if (server.noDelay && handle.setNoDelay) {
    socket[kSetNoDelay] = true;
    handle.setNoDelay(true);
  }
  if (server.keepAlive && handle.setKeepAlive) {
    socket[kSetKeepAlive] = true;
    socket[kSetKeepAliveInitialDelay] = server.keepAliveInitialDelay;
    handle.setKeepAlive(true, server.keepAliveInitialDelay);
  }
  server._connections++;
  socket.server = server;
  socket._server = server;
  server.emit('connection', socket);
}

function drop(server, handle) {
  if (handle.getsockname) {
    const local = handle.getsockname();
    const remote = handle.getpeername();
    server.emit('drop', {
      localAddress: local.address,
      localPort: local.port,
      localFamily: local.family,
      remoteAddress: remote.address,
      remotePort: remote.port,
      remoteFamily: remote.family,
    });
  } else {
    server.emit('drop');
  }
  handle.close();
}

Server.prototype.close = function close(cb) {
  if (typeof cb === 'function') {
    if (this._handle) this.once('close', cb);
    else this.once('close', () => cb(new codes.ERR_SERVER_NOT_RUNNING()));
  }
  if (this._handle) {
    this._handle.close();
    this._handle = null;
  }
  this._emitCloseIfDrained();
  return this;
};

Server.prototype._emitCloseIfDrained = function _emitCloseIfDrained() {
  if (this._handle || this._connections) return;
  process.nextTick(() => this.emit('close'));
};

Server.prototype.address = function address() {
  if (this._handle?.getsockname) {
    const name = this._handle.getsockname();
    if (typeof name === 'number') throw errnoException(name, 'address');
    return name;
  }
  return this._pipeName ?? null;
};

Server.prototype.getConnections = function getConnections(cb) {
  validateFunction(cb, 'callback');
  process.nextTick(cb, null, this._connections);
  return this;
};

Server.prototype.ref = function ref() {
  this._unref = false;
  this._handle?.ref();
  return this;
};

Server.prototype.unref = function unref() {
  this._unref = true;
  this._handle?.unref();
  return this;
};

Object.defineProperty(Server.prototype, 'listening', {
  get() { return !!this._handle; },
  configurable: true,
  enumerable: true,
});

Server.prototype[Symbol.for('nodejs.rejection')] = function onRejection(err, event, socket) {
  if (event === 'connection') socket.destroy(err);
  else this.emit('error', err);
};

if (Symbol.asyncDispose) {
  Server.prototype[Symbol.asyncDispose] = function asyncDispose() {
    if (!this._handle) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.close((err) => (err ? reject(err) : resolve()));
    });
  };
}

module.exports = Server;
