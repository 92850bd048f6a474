// http.ClientRequest: a request on its way, and the response to it.

const { Buffer } = require('buffer');
const { codes, connResetException } = require('internal/errors');
const validate = require('internal/validators');
const { milliseconds } = require('internal/net/timeouts');
const { isToken, joinedNames, kFields, kJoined } = require('internal/http/common');
const { OutgoingMessage, flush, withSocket } = require('internal/http/outgoing');
const agents = require('internal/http/agent');
const { Exchange, hearSilence } = require('internal/http/exchange');
const stream = require('stream');

// What the request was destroyed with before it had a socket to take along.
const kCause = Symbol('cause');

// Characters that would end the request line.
const BREAKS_REQUEST_LINE = /[^\u0021-\u00ff]/;

// Methods whose requests have no body, unless one is written.
const BARE = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

function ClientRequest(...given) {
  OutgoingMessage.call(this);
  const [options, listener] = sortOut(given);
  const usual = options._defaultAgent || agents.globalAgent;
  const agent = chooseAgent(options, usual);
  const target = targetOf(options, agent, usual);
  Object.assign(this, {
    agent,
    protocol: target.protocol,
    ...checkedSettings(options),
    socketPath: options.socketPath,
    path: options.path || '/',
    host: target.host,
    res: null,
    parser: null,
    aborted: false,
    maxHeadersCount: null,
    reusedSocket: false,
    upgradeOrConnect: false,
    _ended: false,
  });
  this.useChunkedEncodingByDefault = !BARE.has(this.method);
  if (listener) this.once('response', listener);
  // A socket that nobody will use again is closed.
  this.shouldKeepAlive = Boolean(agent?.keepAlive || Number.isFinite(agent?.maxSockets));
  this._last = !this.shouldKeepAlive;
  takeHeaders(this, options, target);
  this[kJoined] = joinedNames(options.uniqueHeaders);

  const { signal, ...wish } = options;
  if (signal) stream.addAbortSignal(signal, this);
  if (agent) agent.addRequest(this, wish);
  else connectAlone(this, wish);
}
Object.setPrototypeOf(ClientRequest.prototype, OutgoingMessage.prototype);
Object.setPrototypeOf(ClientRequest, OutgoingMessage);

// --- what is asked for ---------------------------------------------------------------------------

// A URL rather than options. Asked without loading the class.
function isURL(it) {
  return Boolean(it?.href && it.protocol && it.auth === undefined && it.path === undefined);
}

// The arguments are a URL or none, options or none, and a listener or none. Options change the URL's.
function sortOut(given) {
  const [first] = given;
  const isAddress = typeof first === 'string' || isURL(first);
  const [options, listener] = isAddress ? given.slice(1) : given;
  const base = !isAddress ? {} :
    require('internal/http/url_options')(typeof first === 'string' ? new URL(first) : first);
  if (typeof options === 'function') return [base, options];
  return [Object.assign(base, options), listener];
}

function chooseAgent({ agent, createConnection }, usual) {
  if (agent === false) return new usual.constructor();
  if (agent == null) return typeof createConnection === 'function' ? undefined : usual;
  if (typeof agent.addRequest === 'function') return agent;
  throw new codes.ERR_INVALID_ARG_TYPE('options.agent',
    ['Agent-like Object', 'undefined', 'false'], agent);
}

// Where the request goes. The agent learns of it by the options, so it is written there as well.
function targetOf(options, agent, usual) {
  const { path, protocol = '' } = options;
  if (path && BREAKS_REQUEST_LINE.test(path)) throw new codes.ERR_UNESCAPED_CHARACTERS('Request path');
  const [asked, spoken] = [protocol || usual.protocol, agent?.protocol ?? usual.protocol];
  if (asked !== spoken) throw new codes.ERR_INVALID_PROTOCOL(asked, spoken);
  const defaultPort = options.defaultPort || agent?.defaultPort;
  options.port ||= defaultPort || 80;
  options.host = hostOf(options);
  return { protocol: asked, host: options.host, port: options.port, defaultPort };
}

function hostOf(options) {
  for (const name of ['hostname', 'host']) {
    const value = options[name];
    if (value != null && typeof value !== 'string') {
      throw new codes.ERR_INVALID_ARG_TYPE(`options.${name}`, ['string', 'undefined', 'null'], value);
    }
    if (value) return value;
  }
  return 'localhost';
}

// Properties of the request that are options as they are, if they are good.
function checkedSettings(options) {
  const { insecureHTTPParser, joinDuplicateHeaders, maxHeaderSize, method, timeout } = options;
  const settings = { method: 'GET', maxHeaderSize, joinDuplicateHeaders };
  if (timeout !== undefined) settings.timeout = milliseconds(timeout, 'timeout');
  if (method != null) validate.validateString(method, 'options.method');
  if (method) {
    if (!isToken(method)) throw new codes.ERR_INVALID_HTTP_TOKEN('Method', method);
    settings.method = method.toUpperCase();
  }
  if (maxHeaderSize !== undefined) validate.validateInteger(maxHeaderSize, 'maxHeaderSize', 0);
  for (const [name, value] of Object.entries({ insecureHTTPParser, joinDuplicateHeaders })) {
    if (value !== undefined) validate.validateBoolean(value, `options.${name}`);
  }
  return settings;
}

// --- the head ------------------------------------------------------------------------------------

function storeHead(req, headers) {
  req._storeHeader(`${req.method} ${req.path} HTTP/1.1\r\n`, headers);
}

function takeHeaders(req, { auth, headers, setHost = true }, target) {
  // A list is the head as it is to be.
  if (Array.isArray(headers)) {
    storeHead(req, headers);
    return;
  }
  for (const [name, value] of Object.entries(headers ?? {})) req.setHeader(name, value);
  if (setHost && !req.getHeader('host')) req.setHeader('Host', hostHeader(target));
  if (auth && !req.getHeader('authorization')) {
    const secret = Buffer.from(auth).toString('base64');
    req.setHeader('Authorization', `Basic ${secret}`);
  }
  // Whoever expects something of the server wants to hear of it before there is a body.
  if (req.getHeader('expect')) req._implicitHeader();
}

function hostHeader({ host, port, defaultPort }) {
  const isBareV6 = !host.startsWith('[') && host.split(':').length > 2;
  const name = isBareV6 ? `[${host}]` : host;
  return port && Number(port) !== defaultPort ? `${name}:${port}` : name;
}

// --- the socket ----------------------------------------------------------------------------------

// Without an agent, the connection is for this request alone.
function connectAlone(req, options) {
  options.path = req.socketPath || undefined;
  const { createConnection } = options;
  if (typeof createConnection !== 'function') {
    req.onSocket(require('net').createConnection(options));
    return;
  }
  // The first word counts, be it returned, thrown or called back with.
  let answer = (err, socket) => {
    answer = () => {};
    if (err) process.nextTick(() => req.emit('error', err));
    else req.onSocket(socket);
  };
  try {
    const socket = options.createConnection(options, (...args) => answer(...args));
    if (socket) answer(null, socket);
  } catch (err) {
    answer(err);
  }
}

function takeSocket(req, socket, err) {
  if (err || req.destroyed) {
    turnAway(req, socket, err);
    return;
  }
  new Exchange(req, socket);
  if (req.timeout !== undefined || req.agent?.options?.timeout) hearSilence(req);
  req.emit('socket', socket);
  flush(req);
}

// The request is gone, or there is no socket for it.
function turnAway(req, socket, err) {
  const cause = err || req[kCause];
  if (!socket) {
    giveUp(req, cause);
  } else if (!err && req.agent && !socket.destroyed) {
    // Another request may have it.
    giveUp(req, cause);
    socket.emit('free');
  } else {
    stream.finished(socket.destroy(cause), (error) => {
      const isExpected = error?.code === 'ERR_STREAM_PREMATURE_CLOSE';
      giveUp(req, (isExpected ? null : error) || err);
    });
  }
}

function giveUp(req, err) {
  if (err || !req.aborted) req.emit('error', err || connResetException('socket hang up'));
  req._closed = true;
  req.emit('close');
}

// Does something with the socket of a request once that is connected.
function withConnection(req, action) {
  return withSocket(req, (socket) => {
    if (socket.connecting) socket.once('connect', () => action(socket));
    else action(socket);
  });
}

function setOnSocket(req, method, ...values) {
  withConnection(req, (socket) => {
    if (socket.writable) socket[method](...values);
  });
}

Object.assign(ClientRequest.prototype, {
  // Called by agents.
  onSocket(socket, error) {
    process.nextTick(takeSocket, this, socket, error);
  },

  _implicitHeader() {
    if (this._header) throw new codes.ERR_HTTP_HEADERS_SENT('render');
    storeHead(this, this[kFields]);
  },

  setNoDelay(enable) {
    setOnSocket(this, 'setNoDelay', enable);
  },

  setSocketKeepAlive(enable, initialDelay) {
    setOnSocket(this, 'setKeepAlive', enable, initialDelay);
  },

  setTimeout(time, listener) {
    if (this._ended) return this;
    hearSilence(this);
    const msecs = milliseconds(time, 'msecs');
    if (listener) this.once('timeout', listener);
    return withConnection(this, (socket) => socket.setTimeout(msecs));
  },

  clearTimeout(listener) {
    this.setTimeout(0, listener);
  },

  abort() {
    if (this.aborted) return;
    this.aborted = true;
    process.nextTick(() => this.emit('abort'));
    this.destroy();
  },

  destroy(cause) {
    if (this.destroyed) return this;
    this.destroyed = true;
    this[kCause] = cause;
    this.res?._dump();
    this.socket?.destroy(cause);
    return this;
  },
});

module.exports = { ClientRequest };
