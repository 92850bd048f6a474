// net.Server: accepts connections and emits them as sockets.
const EventEmitter = require('events');
const { codes, errnoException, uvExceptionWithHostPort } = require('internal/errors');
const validate = require('internal/validators');
const { isPipeName, normalizeArgs, toNumber } = require('internal/net/arguments');
const { Pipe, Socket, TCP, kOnSocketClosed } = require('internal/net/socket');
const { applyOptions, checkedDelay, kSocketOptions, socketOptionsOf, wholeSeconds } = require('internal/net/socket_options');
const { getDefaultHighWaterMark } = require('stream');
const observers = require('internal/async_state');

// Counts the calls of close(), so that a pending lookup of listen() detects them.
const kListenId = Symbol('listenId');
const EINVAL = -22;

// The default backlog of listen().
const BACKLOG = 511;

function Server(settings, listener) {
  if (!(this instanceof Server)) return new Server(settings, listener);
  EventEmitter.call(this);
  if (typeof settings === 'function') [settings, listener] = [{}, settings];
  settings ??= {};
  if (typeof settings !== 'object') throw new codes.ERR_INVALID_ARG_TYPE('options', 'Object', settings);
  if (listener != null) this.on('connection', listener);
  this[kListenId] = 0;
  const delay = checkedDelay(settings);
  Object.assign(this, {
    _connections: 0,
    _handle: null,
    _unref: false,
    _pipeName: undefined,
    _connectionKey: undefined,
    allowHalfOpen: settings.allowHalfOpen || false,
    pauseOnConnect: !!settings.pauseOnConnect,
    noDelay: !!settings.noDelay,
    keepAlive: !!settings.keepAlive,
    keepAliveInitialDelay: wholeSeconds(delay),
    highWaterMark: checkedHighWaterMark(settings.highWaterMark),
  });
}
Object.setPrototypeOf(Server.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Server, EventEmitter);

function checkedHighWaterMark(mark) {
  if (mark !== undefined) validate.validateNumber(mark, 'options.highWaterMark');
  return mark === undefined || mark < 0 ? getDefaultHighWaterMark(false) : mark;
}

// --- where to listen -----------------------------------------------------------------------------

const fs = () => require('fs');

// The kinds of listen() options, in their order of precedence. Each function returns whether the options
// apply to it.
const LISTEN_TARGETS = [
  function byHandle(server, { options, backlog }) {
    const handle = options._handle || options.handle;
    if (!(handle instanceof TCP || handle instanceof Pipe)) return false;
    server._handle = handle;
    listenOn(server, { address: null, port: -1, family: -1 }, backlog);
    return true;
  },

  // Not a target; the signal is validated at this point.
  function watchSignal(server, { options: { signal } }) {
    if (signal === undefined) return false;
    validate.validateAbortSignal(signal, 'options.signal');
    const stop = () => server.close();
    if (signal.aborted) process.nextTick(stop);
    else signal.addEventListener('abort', stop, { once: true });
    return false;
  },

  function byDescriptor(server, { options: { fd }, backlog }) {
    if (!(typeof fd === 'number' && fd >= 0)) return false;
    let errno = 0;
    try {
      server._handle = require('internal/net/open').open(fd);
    } catch {
      errno = EINVAL;
    }
    listenOn(server, { address: null, port: null, family: null }, backlog, errno);
    return true;
  },

  function byPort(server, { args, options, backlog }) {
    const isUnspecified = args.length === 0 || typeof args[0] === 'function' || options.port === null ||
      ('port' in options && options.port === undefined);
    if (isUnspecified) options.port = 0;
    const { host, ipv6Only } = options;
    if (!['number', 'string'].includes(typeof options.port)) return false;
    validate.validatePort(options.port, 'options.port');
    const port = options.port | 0;
    if (!host) {
      listenOn(server, { address: null, port, family: 4, ipv6Only }, backlog);
      return true;
    }
    const id = server[kListenId];
    require('dns').lookup(host, (err, address, version) => {
      // close() was called in the meantime.
      if (server[kListenId] !== id) return;
      if (err) server.emit('error', err);
      else listenOn(server, { address, port, family: address ? version : 4, ipv6Only }, backlog);
    });
    return true;
  },

  function byPath(server, { options, backlog }) {
    const { path, readableAll, writableAll } = options;
    if (!path || !isPipeName(path)) return false;
    if (path[0] === '\0' && (readableAll || writableAll)) {
      const reason = 'can not set readableAll or writableAllt to true when path is abstract unix socket';
      throw new codes.ERR_INVALID_ARG_VALUE('options', options, reason);
    }
    server._pipeName = path;
    listenOn(server, { address: path, port: -1, family: -1 }, backlog);
    if (server._handle && (readableAll || writableAll)) {
      const { mode } = fs().statSync(path);
      fs().chmodSync(path, mode | (readableAll ? 0o444 : 0) | (writableAll ? 0o222 : 0));
    }
    return true;
  },
];

// Returns a bound handle, or an errno.
function bind({ address, port, family, ipv6Only }) {
  const isLocal = port === -1 && family === -1;
  const handle = isLocal ? new Pipe(undefined, true) : new TCP(undefined, true);
  const errno = isLocal ? handle.bind(address) : handle.bind(address, port, ipv6Only);
  if (errno) handle.close();
  return errno || handle;
}

// Without an address this binds to the IPv6 wildcard (dual-stack), or to 0.0.0.0 if IPv6 is not available.
// Returns the target and the result of bind().
function bindTarget(target) {
  if (target.address) return [target, bind(target)];
  const wildcard = { ...target, address: '::', family: 6 };
  const handle = bind(wildcard);
  if (typeof handle === 'object') return [wildcard, handle];
  const fallback = { ...target, address: '0.0.0.0', family: 4 };
  return [fallback, bind(fallback)];
}

function listenOn(server, target, backlog, errno = 0) {
  if (server._handle === null && errno === 0) {
    const [used, result] = bindTarget(target);
    target = used;
    if (typeof result === 'object') server._handle = result;
    else errno = result;
  }
  errno ||= server._handle.listen(backlog, (err, handle) => accept(server, err, handle), server);
  const { address, port, family } = target;
  if (errno) {
    server._handle?.close();
    server._handle = null;
    const error = uvExceptionWithHostPort(errno, 'listen', address, port);
    observers.publish?.('tracing:net.server.listen:error', { server, error });
    process.nextTick(() => server.emit('error', error));
    return;
  }
  server._connectionKey = [family, address, port].join(':');
  if (server._unref) server.unref();
  observers.publish?.('tracing:net.server.listen:asyncEnd', { server });
  // The server may be closed before the next tick.
  const emit = () => process.nextTick(() => server._handle && server.emit('listening'));
  const { tracker } = require('internal/async_state');
  if (tracker === undefined) emit();
  else tracker.triggeredBy(server._handle.id, emit);
}

// --- connections ---------------------------------------------------------------------------------

function accept(server, errno, handle) {
  if (errno) {
    server.emit('error', errnoException(errno, 'accept'));
  } else if (server.maxConnections && server._connections >= server.maxConnections) {
    server.emit('drop', ...endpointsOf(handle));
    handle.close();
  } else {
    server._connections++;
    const socket = createSocket(server, handle);
    server.emit('connection', socket);
    observers.publish?.('net.server.socket', { socket });
  }
}

function createSocket(server, handle) {
  const { allowHalfOpen, highWaterMark, pauseOnConnect } = server;
  const socket = new Socket({
    allowHalfOpen, handle,
    pauseOnCreate: pauseOnConnect,
    readableHighWaterMark: highWaterMark,
    writableHighWaterMark: highWaterMark,
  });
  // Local sockets have no such options.
  if (handle instanceof TCP) {
    socket[kSocketOptions] = socketOptionsFor(server);
    applyOptions(handle, socket[kSocketOptions]);
  }
  socket.server = socket._server = server;
  return socket;
}

const kSharedOptions = Symbol('sharedSocketOptions');

// The options of accepted sockets: one shared object as long as the server's properties do not change.
function socketOptionsFor(server) {
  const { noDelay, keepAlive, keepAliveInitialDelay: seconds } = server;
  const shared = server[kSharedOptions];
  const isValid = shared !== undefined && shared.noDelay === !!noDelay &&
    shared.keepAlive === !!keepAlive && shared.seconds === seconds;
  return isValid ? shared : server[kSharedOptions] = { ...socketOptionsOf(server, 0), seconds };
}

// The arguments of 'drop'.
function endpointsOf(handle) {
  if (!(handle instanceof TCP)) return [];
  const endpoints = {};
  for (const [side, end] of [['local', handle.getsockname()], ['remote', handle.getpeername()]]) {
    endpoints[`${side}Address`] = end.address;
    endpoints[`${side}Port`] = end.port;
    endpoints[`${side}Family`] = end.family;
  }
  return [endpoints];
}

// The server emits 'close' after its last connection has closed.
function emitCloseIfDrained(server) { if (server._handle === null && server._connections === 0) process.nextTick(() => server.emit('close')); }

function setRef(server, ref) {
  server._unref = !ref;
  server._handle?.[ref ? 'ref' : 'unref']();
  return server;
}

Object.assign(Server.prototype, {
  listen(...args) {
    const [options, cb] = normalizeArgs(args);
    if (this._handle) throw new codes.ERR_SERVER_ALREADY_LISTEN();
    if (cb !== null) this.once('listening', cb);
    const [, second, third] = args;
    const backlog = options.backlog || [second, third].map(toNumber).find(Boolean) || BACKLOG;
    const request = { args, options, backlog };
    observers.publish?.('tracing:net.server.listen:asyncStart', { server: this, options });
    if (LISTEN_TARGETS.some((take) => take(this, request))) return this;
    const reason = 'port' in options || 'path' in options ? [] :
      ['must have the property "port" or "path"'];
    throw new codes.ERR_INVALID_ARG_VALUE('options', options, ...reason);
  },

  close(cb) {
    this[kListenId]++;
    const wasOpen = this._handle !== null;
    if (typeof cb === 'function') this.once('close', wasOpen ? cb : () => cb(new codes.ERR_SERVER_NOT_RUNNING()));
    this._handle?.close();
    this._handle = null;
    emitCloseIfDrained(this);
    return this;
  },

  address() {
    const end = this._handle?.getsockname?.();
    if (typeof end === 'number') throw errnoException(end, 'address');
    return end ?? this._pipeName ?? null;
  },

  getConnections(cb) {
    validate.validateFunction(cb, 'callback');
    process.nextTick(cb, null, this._connections);
    return this;
  },

  ref() { return setRef(this, true); },
  unref() { return setRef(this, false); },

  [kOnSocketClosed]() {
    this._connections--;
    emitCloseIfDrained(this);
  },

  [Symbol.for('nodejs.rejection')](err, event, socket) {
    if (event === 'connection') socket.destroy(err);
    else this.emit('error', err);
  },
});

require('internal/util/getters').defineGetters(Server.prototype, { listening: ({ _handle }) => Boolean(_handle) });

if (Symbol.asyncDispose) {
  Server.prototype[Symbol.asyncDispose] = async function asyncDispose() { if (this._handle) await require('util').promisify(this.close).call(this); };
}

module.exports = Server;
