// http.ClientRequest: a request that a client sends, and its response.

const { Buffer } = require('buffer');
const { codes, connResetException } = require('internal/errors');
const validate = require('internal/validators');
const { getTimerDuration } = require('internal/net/socket_timeout');
const { isToken, kHeaders, kMeasure, kUniqueHeaders, parseUniqueHeadersOption } = require('internal/http/common');
const { OutgoingMessage, flush, withSocket } = require('internal/http/outgoing');
const { rejectInsecureOption } = require('internal/http/parser');
const agents = require('internal/http/agent');
const { Exchange, emitError, kRecord, listenSocketTimeout } = require('internal/http/exchange');
const stream = require('stream');
const observers = require('internal/async_state');

// The error of a destroy() call before the request had a socket.
const kDestroyError = Symbol('destroyError');

// Characters that are invalid in the request line.
const INVALID_PATH = /[^\u0021-\u00ff]/;

// Methods whose requests have no body by default.
const METHODS_WITHOUT_BODY = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

function ClientRequest(...args) {
  OutgoingMessage.call(this);
  const [options, listener] = parseArgs(args);
  const defaultAgent = options._defaultAgent || agents.globalAgent;
  const agent = chooseAgent(options, defaultAgent);
  const target = targetOf(options, agent, defaultAgent);
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
  this.useChunkedEncodingByDefault = !METHODS_WITHOUT_BODY.has(this.method);
  if (listener) this.once('response', listener);
  // Without keep-alive the connection is closed after the response.
  this.shouldKeepAlive = Boolean(agent?.keepAlive || Number.isFinite(agent?.maxSockets));
  this._last = !this.shouldKeepAlive;
  setInitialHeaders(this, options, target);
  this[kUniqueHeaders] = parseUniqueHeadersOption(options.uniqueHeaders);

  if (observers.measure !== undefined) this[kMeasure] = observers.measure('http', 'HttpClient');
  if (observers.tracker !== undefined) this[kRecord] = observers.tracker.create('HTTPCLIENTREQUEST', this);
  const { signal, ...connectionOptions } = options;
  if (signal) stream.addAbortSignal(signal, this);
  if (agent) agent.addRequest(this, connectionOptions);
  else connectWithoutAgent(this, connectionOptions);
}
Object.setPrototypeOf(ClientRequest.prototype, OutgoingMessage.prototype);
Object.setPrototypeOf(ClientRequest, OutgoingMessage);

// --- arguments -----------------------------------------------------------------------------------

// Whether the argument is a URL. Checks properties, so that the class URL need not be loaded.
function isURL(it) {
  return Boolean(it?.href && it.protocol && it.auth === undefined && it.path === undefined);
}

// The arguments are ([url], [options], [listener]). Options override those of the URL.
function parseArgs(args) {
  const [first] = args;
  const isUrl = typeof first === 'string' || isURL(first);
  const [options, listener] = isUrl ? args.slice(1) : args;
  const base = !isUrl ? {} :
    require('internal/http/url_options')(typeof first === 'string' ? new URL(first) : first);
  if (typeof options === 'function') return [base, options];
  return [Object.assign(base, options), listener];
}

function chooseAgent({ agent, createConnection }, defaultAgent) {
  if (agent === false) return new defaultAgent.constructor();
  if (agent == null) return typeof createConnection === 'function' ? undefined : defaultAgent;
  if (typeof agent.addRequest === 'function') return agent;
  throw new codes.ERR_INVALID_ARG_TYPE('options.agent',
    ['Agent-like Object', 'undefined', 'false'], agent);
}

// The target of the request. It is stored in the options as well, because the agent reads them.
function targetOf(options, agent, defaultAgent) {
  const { path, protocol = '' } = options;
  if (path && INVALID_PATH.test(path)) throw new codes.ERR_UNESCAPED_CHARACTERS('Request path');
  const wanted = protocol || defaultAgent.protocol;
  const expected = agent?.protocol ?? defaultAgent.protocol;
  if (wanted !== expected) throw new codes.ERR_INVALID_PROTOCOL(wanted, expected);
  const defaultPort = options.defaultPort || agent?.defaultPort;
  options.port ||= defaultPort || 80;
  options.host = hostOf(options);
  return { protocol: wanted, host: options.host, port: options.port, defaultPort };
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

// Validates the options that become properties of the request.
function checkedSettings(options) {
  const { insecureHTTPParser, joinDuplicateHeaders, maxHeaderSize, method, timeout } = options;
  const settings = { method: 'GET', maxHeaderSize, joinDuplicateHeaders };
  if (timeout !== undefined) settings.timeout = getTimerDuration(timeout, 'timeout');
  if (method != null) validate.validateString(method, 'options.method');
  if (method) {
    if (!isToken(method)) throw new codes.ERR_INVALID_HTTP_TOKEN('Method', method);
    settings.method = method.toUpperCase();
  }
  if (maxHeaderSize !== undefined) validate.validateInteger(maxHeaderSize, 'maxHeaderSize', 0);
  rejectInsecureOption(insecureHTTPParser);
  if (joinDuplicateHeaders !== undefined) {
    validate.validateBoolean(joinDuplicateHeaders, 'options.joinDuplicateHeaders');
  }
  return settings;
}

// --- headers -------------------------------------------------------------------------------------

function storeHeader(req, headers) {
  req._storeHeader(`${req.method} ${req.path} HTTP/1.1\r\n`, headers);
}

function setInitialHeaders(req, { auth, headers, setHost = true }, target) {
  // An array is sent as it is.
  if (Array.isArray(headers)) {
    storeHeader(req, headers);
    return;
  }
  if (Array.isArray(headers?.host)) {
    throw new codes.ERR_INVALID_ARG_TYPE('options.headers.host', 'string', headers.host);
  }
  for (const [name, value] of Object.entries(headers ?? {})) req.setHeader(name, value);
  if (setHost && !req.getHeader('host')) req.setHeader('Host', hostHeader(target));
  if (auth && !req.getHeader('authorization')) {
    const credentials = Buffer.from(auth).toString('base64');
    req.setHeader('Authorization', `Basic ${credentials}`);
  }
  // With an Expect header the head is sent before the body.
  if (req.getHeader('expect')) req._implicitHeader();
}

function hostHeader({ host, port, defaultPort }) {
  const isBareV6 = !host.startsWith('[') && host.split(':').length > 2;
  const name = isBareV6 ? `[${host}]` : host;
  return port && Number(port) !== defaultPort ? `${name}:${port}` : name;
}

// --- the socket ----------------------------------------------------------------------------------

// Creates a connection for this request only.
function connectWithoutAgent(req, options) {
  options.path = req.socketPath || undefined;
  const { createConnection } = options;
  if (typeof createConnection !== 'function') {
    req.onSocket(require('net').createConnection(options));
    return;
  }
  // createConnection returns, throws or calls back; only the first counts.
  let done = (err, socket) => {
    done = () => {};
    if (err) process.nextTick(() => req.emit('error', err));
    else req.onSocket(socket);
  };
  try {
    const socket = options.createConnection(options, (...args) => done(...args));
    if (socket) done(null, socket);
  } catch (err) {
    done(err);
  }
}

function onSocketAssigned(req, socket, err) {
  if (err || req.destroyed) {
    discardSocket(req, socket, err);
    return;
  }
  new Exchange(req, socket);
  if (req.timeout !== undefined || req.agent?.options?.timeout) listenSocketTimeout(req);
  req.emit('socket', socket);
  flush(req);
}

// The request was destroyed, or the connection failed.
function discardSocket(req, socket, err) {
  const error = err || req[kDestroyError];
  if (!socket) {
    emitErrorAndClose(req, error);
  } else if (!err && req.agent && !socket.destroyed) {
    // Another request can use the socket.
    emitErrorAndClose(req, error);
    socket.emit('free');
  } else {
    stream.finished(socket.destroy(error), (finishedError) => {
      const isPremature = finishedError?.code === 'ERR_STREAM_PREMATURE_CLOSE';
      emitErrorAndClose(req, (isPremature ? null : finishedError) || err);
    });
  }
}

function emitErrorAndClose(req, err) {
  req.destroyed = true;
  if (err || !req.aborted) emitError(req, err || connResetException('socket hang up'));
  req._closed = true;
  req.emit('close');
}

// Calls `action` with the socket once it is connected.
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
  // The agent calls this.
  onSocket(socket, error) {
    const assign = () => process.nextTick(onSocketAssigned, this, socket, error);
    if (this[kRecord]) observers.tracker.runWith(this[kRecord].stores, assign, undefined, []);
    else assign();
  },

  _implicitHeader() {
    if (this._header) throw new codes.ERR_HTTP_HEADERS_SENT('render');
    storeHeader(this, this[kHeaders]);
  },

  end(...args) {
    const wasFinished = this.finished;
    Reflect.apply(OutgoingMessage.prototype.end, this, args);
    if (!wasFinished) observers.publish?.('http.client.request.start', { request: this });
    return this;
  },

  setNoDelay(enable) {
    setOnSocket(this, 'setNoDelay', enable);
  },

  setSocketKeepAlive(enable, initialDelay) {
    setOnSocket(this, 'setKeepAlive', enable, initialDelay);
  },

  setTimeout(time, listener) {
    if (this._ended) return this;
    listenSocketTimeout(this);
    const msecs = getTimerDuration(time, 'msecs');
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

  destroy(err) {
    if (this.destroyed) return this;
    this.destroyed = true;
    this[kDestroyError] = err;
    this.res?._dump();
    this.socket?.destroy(err);
    return this;
  },
});

module.exports = { ClientRequest };
