// net.Server: takes connections and hands them out as sockets.

const EventEmitter = require('events');
const { codes, errnoException, uvExceptionWithHostPort } = require('internal/errors');
const validate = require('internal/validators');
const { isPipeName, normalizeArgs, toNumber } = require('internal/net/arguments');
const { Pipe, Socket, TCP, kGone } = require('internal/net/socket');
const { checkedDelay, kTuning, tune, tuningOf, wholeSeconds } = require('internal/net/tuning');
const { getDefaultHighWaterMark } = require('stream');

// How many connections may wait to be accepted if nobody says otherwise.
const BACKLOG = 511;

function Server(settings, listener) {
  if (!(this instanceof Server)) return new Server(settings, listener);
  EventEmitter.call(this);
  if (typeof settings === 'function') [settings, listener] = [{}, settings];
  settings ??= {};
  if (typeof settings !== 'object') {
    throw new codes.ERR_INVALID_ARG_TYPE('options', 'Object', settings);
  }
  if (listener != null) this.on('connection', listener);
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
    highWaterMark: checkedMark(settings.highWaterMark),
  });
}
Object.setPrototypeOf(Server.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Server, EventEmitter);

function checkedMark(mark) {
  if (mark !== undefined) validate.validateNumber(mark, 'options.highWaterMark');
  return mark === undefined || mark < 0 ? getDefaultHighWaterMark(false) : mark;
}

// --- where to listen -----------------------------------------------------------------------------

// The ways to say where, in the order in which they count. Each looks at what was asked for and
// returns whether it has taken care of it.
const WAYS = [
  function byHandle(server, { options, backlog }) {
    const handle = options._handle || options.handle;
    if (!(handle instanceof TCP || handle instanceof Pipe)) return false;
    server._handle = handle;
    start(server, { address: null, port: -1, family: -1 }, backlog);
    return true;
  },

  // No way at all, but this is when it is looked at.
  function heedSignal(server, { options: { signal } }) {
    if (signal === undefined) return false;
    validate.validateAbortSignal(signal, 'options.signal');
    const stop = () => server.close();
    if (signal.aborted) process.nextTick(stop);
    else signal.addEventListener('abort', stop, { once: true });
    return false;
  },

  function byDescriptor(server, { options: { fd }, backlog }) {
    if (!(typeof fd === 'number' && fd >= 0)) return false;
    server._handle = require('internal/net/open').open(fd);
    start(server, { address: null, port: null, family: null }, backlog);
    return true;
  },

  function byPort(server, { args, options, backlog }) {
    const isLeftOpen = args.length === 0 || typeof args[0] === 'function' || options.port === null ||
      ('port' in options && options.port === undefined);
    if (isLeftOpen) options.port = 0;
    const { host, ipv6Only } = options;
    if (!['number', 'string'].includes(typeof options.port)) return false;
    validate.validatePort(options.port, 'options.port');
    const port = options.port | 0;
    if (!host) {
      start(server, { address: null, port, family: 4, ipv6Only }, backlog);
      return true;
    }
    require('dns').lookup(host, (err, address, version) => {
      if (err) server.emit('error', err);
      else start(server, { address, port, family: address ? version : 4, ipv6Only }, backlog);
    });
    return true;
  },

  function byPath(server, { options: { path }, backlog }) {
    if (!path || !isPipeName(path)) return false;
    server._pipeName = path;
    start(server, { address: path, port: -1, family: -1 }, backlog);
    return true;
  },
];

// A handle that is bound, or the number of an error.
function bind({ address, port, family, ipv6Only }) {
  const isLocal = port === -1 && family === -1;
  const handle = isLocal ? new Pipe() : new TCP();
  const errno = isLocal ? handle.bind(address) : handle.bind(address, port, ipv6Only);
  if (errno) handle.close();
  return errno || handle;
}

// Without an address all of both versions are meant, or of the fourth where there is no sixth.
// Returns the place and what came of binding to it.
function bindSomewhere(place) {
  if (place.address) return [place, bind(place)];
  const everywhere = { ...place, address: '::', family: 6 };
  const handle = bind(everywhere);
  if (typeof handle === 'object') return [everywhere, handle];
  const fallback = { ...place, address: '0.0.0.0', family: 4 };
  return [fallback, bind(fallback)];
}

function start(server, place, backlog) {
  let errno = 0;
  if (server._handle === null) {
    const [where, bound] = bindSomewhere(place);
    place = where;
    if (typeof bound === 'object') server._handle = bound;
    else errno = bound;
  }
  errno ||= server._handle.listen(backlog, (err, handle) => accept(server, err, handle));
  const { address, port, family } = place;
  if (errno) {
    server._handle?.close();
    server._handle = null;
    const error = uvExceptionWithHostPort(errno, 'listen', address, port);
    process.nextTick(() => server.emit('error', error));
    return;
  }
  server._connectionKey = [family, address, port].join(':');
  if (server._unref) server.unref();
  // It may be closed before anybody hears of it.
  process.nextTick(() => server._handle && server.emit('listening'));
}

// --- connections ---------------------------------------------------------------------------------

function accept(server, errno, handle) {
  if (errno) {
    server.emit('error', errnoException(errno, 'accept'));
  } else if (server.maxConnections && server._connections >= server.maxConnections) {
    server.emit('drop', ...endsOf(handle));
    handle.close();
  } else {
    server._connections++;
    server.emit('connection', welcome(server, handle));
  }
}

function welcome(server, handle) {
  const { allowHalfOpen, highWaterMark, pauseOnConnect } = server;
  const socket = new Socket({
    allowHalfOpen,
    handle,
    pauseOnCreate: pauseOnConnect,
    readableHighWaterMark: highWaterMark,
    writableHighWaterMark: highWaterMark,
  });
  // A local socket has nothing that could be set.
  if (handle instanceof TCP) {
    socket[kTuning] = tuningFor(server);
    tune(handle, socket[kTuning]);
  }
  socket.server = socket._server = server;
  return socket;
}

const kSockets = Symbol('tuningOfSockets');

// The tuning of a server's sockets: the same one as long as the script does not change its mind.
function tuningFor(server) {
  const { noDelay, keepAlive, keepAliveInitialDelay: seconds } = server;
  const known = server[kSockets];
  const isValid = known !== undefined && known.noDelay === !!noDelay &&
    known.keepAlive === !!keepAlive && known.seconds === seconds;
  return isValid ? known : server[kSockets] = { ...tuningOf(server, 0), seconds };
}

// What is told of a connection that is dropped.
function endsOf(handle) {
  if (!(handle instanceof TCP)) return [];
  const told = {};
  for (const [side, end] of [['local', handle.getsockname()], ['remote', handle.getpeername()]]) {
    told[`${side}Address`] = end.address;
    told[`${side}Port`] = end.port;
    told[`${side}Family`] = end.family;
  }
  return [told];
}

// 'close' comes when the last connection is gone.
function closeIfDone(server) {
  if (server._handle === null && server._connections === 0) {
    process.nextTick(() => server.emit('close'));
  }
}

function refer(server, isWanted) {
  server._unref = !isWanted;
  server._handle?.[isWanted ? 'ref' : 'unref']();
  return server;
}

Object.assign(Server.prototype, {
  listen(...args) {
    const [options, cb] = normalizeArgs(args);
    if (this._handle) throw new codes.ERR_SERVER_ALREADY_LISTEN();
    if (cb !== null) this.once('listening', cb);
    const [, second, third] = args;
    const backlog = options.backlog || [second, third].map(toNumber).find(Boolean) || BACKLOG;
    const wish = { args, options, backlog };
    if (WAYS.some((take) => take(this, wish))) return this;
    const reason = 'port' in options || 'path' in options ? [] :
      ['must have the property "port" or "path"'];
    throw new codes.ERR_INVALID_ARG_VALUE('options', options, ...reason);
  },

  close(cb) {
    const wasOpen = this._handle !== null;
    if (typeof cb === 'function') {
      this.once('close', wasOpen ? cb : () => cb(new codes.ERR_SERVER_NOT_RUNNING()));
    }
    this._handle?.close();
    this._handle = null;
    closeIfDone(this);
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

  ref() { return refer(this, true); },

  unref() { return refer(this, false); },

  [kGone]() {
    this._connections--;
    closeIfDone(this);
  },

  [Symbol.for('nodejs.rejection')](err, event, socket) {
    if (event === 'connection') socket.destroy(err);
    else this.emit('error', err);
  },
});

Object.defineProperty(Server.prototype, 'listening', {
  configurable: true,
  enumerable: true,
  get() { return Boolean(this._handle); },
});

if (Symbol.asyncDispose) {
  Server.prototype[Symbol.asyncDispose] = async function asyncDispose() {
    if (this._handle) await require('util').promisify(this.close).call(this);
  };
}

module.exports = Server;
