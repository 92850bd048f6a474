// http.ClientRequest: a request that a client sends, and its response.
const { Buffer } = require('buffer');
const { codes, connResetException } = require('internal/errors');
const validate = require('internal/validators');
const { getTimerDuration } = require('internal/net/socket_timeout');
const { isToken, kHeaders, kMeasure, kState, kUniqueHeaders, parseUniqueHeadersOption, state } =
  require('internal/http/common');
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

// The resource of a request in async_hooks.
class HTTPClientAsyncResource {
  constructor(req) { Object.assign(this, { type: 'HTTPINCOMINGMESSAGE', req }); }
}

// The arguments are ([url], [options], [listener]). Options override those of the URL.
function ClientRequest(input, settings, listener) {
  this.outputData = [];
  const isUrl = typeof input === 'string' || isURL(input);
  const options = isUrl ? require('internal/http/url_options')(typeof input === 'string' ? new URL(input) : input) : {};
  if (!isUrl) {
    listener = settings;
    settings = input;
  }
  if (typeof settings === 'function') listener = settings;
  else if (settings) Object.assign(options, settings);
  const defaultAgent = options._defaultAgent || agents.globalAgent;
  const agent = this.agent = chooseAgent(options, defaultAgent);
  if (agent) this[kState] |= state.AGENT;
  const target = targetOf(options, agent, defaultAgent);
  this.protocol = target.protocol;
  setOptions(this, options);
  this.path = options.path || '/';
  this.host = target.host;
  if (METHODS_WITHOUT_BODY.has(this.method)) this.useChunkedEncodingByDefault = false;
  if (listener) this.once('response', listener);
  // Without keep-alive the connection is closed after the response.
  if (!agent?.keepAlive && !Number.isFinite(agent?.maxSockets)) {
    this.shouldKeepAlive = false;
    this._last = true;
  }
  setInitialHeaders(this, options, target);
  if (options.uniqueHeaders) this[kUniqueHeaders] = parseUniqueHeadersOption(options.uniqueHeaders);

  if (observers.measure !== undefined) this[kMeasure] = observers.measure('http', 'HttpClient');
  this[kRecord] = observers.tracker?.create('HTTPCLIENTREQUEST', new HTTPClientAsyncResource(this));
  const { signal } = options;
  delete options.signal;
  if (signal) stream.addAbortSignal(signal, this);
  if (agent) agent.addRequest(this, options);
  else connectWithoutAgent(this, options);
}
Object.setPrototypeOf(ClientRequest.prototype, OutgoingMessage.prototype);
Object.setPrototypeOf(ClientRequest, OutgoingMessage);

// --- arguments -----------------------------------------------------------------------------------

// Whether the argument is a URL. Checks properties, so that the class URL need not be loaded.
function isURL(it) { return Boolean(it?.href && it.protocol && it.auth === undefined && it.path === undefined); }

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
  if (path && path !== '/' && INVALID_PATH.test(path)) throw new codes.ERR_UNESCAPED_CHARACTERS('Request path');
  const wanted = protocol || defaultAgent.protocol;
  const expected = agent?.protocol ?? defaultAgent.protocol;
  if (wanted !== expected) throw new codes.ERR_INVALID_PROTOCOL(wanted, expected);
  const defaultPort = options.defaultPort || agent?.defaultPort;
  options.port ||= defaultPort || 80;
  options.host = checkHost('hostname', options.hostname) || checkHost('host', options.host) || 'localhost';
  return { protocol: wanted, host: options.host, port: options.port, defaultPort };
}

function checkHost(name, value) {
  if (value == null || typeof value === 'string') return value;
  throw new codes.ERR_INVALID_ARG_TYPE(`options.${name}`, ['string', 'undefined', 'null'], value);
}

// Validates the options that become properties of the request, and sets them.
function setOptions(req, options) {
  const { insecureHTTPParser, joinDuplicateHeaders, maxHeaderSize, method, socketPath, timeout } = options;
  if (timeout !== undefined) req.timeout = getTimerDuration(timeout, 'timeout');
  if (method != null) validate.validateString(method, 'options.method');
  if (method && method !== 'GET') {
    if (!isToken(method)) throw new codes.ERR_INVALID_HTTP_TOKEN('Method', method);
    req.method = method.toUpperCase();
  }
  if (maxHeaderSize !== undefined) {
    validate.validateInteger(maxHeaderSize, 'maxHeaderSize', 0);
    req.maxHeaderSize = maxHeaderSize;
  }
  if (insecureHTTPParser !== undefined) rejectInsecureOption(insecureHTTPParser);
  if (joinDuplicateHeaders !== undefined) {
    validate.validateBoolean(joinDuplicateHeaders, 'options.joinDuplicateHeaders');
    req.joinDuplicateHeaders = joinDuplicateHeaders;
  }
  if (socketPath !== undefined) req.socketPath = socketPath;
}

// --- headers -------------------------------------------------------------------------------------

function storeHeader(req, headers) { req._storeHeader(`${req.method} ${req.path} HTTP/1.1\r\n`, headers); }

function setInitialHeaders(req, { auth, headers, setHost = true }, target) {
  // An array is sent as it is.
  if (Array.isArray(headers)) {
    storeHeader(req, headers);
    return;
  }
  if (Array.isArray(headers?.host)) throw new codes.ERR_INVALID_ARG_TYPE('options.headers.host', 'string', headers.host);
  if (headers) for (const name of Object.keys(headers)) req.setHeader(name, headers[name]);
  if (setHost && !(headers && req.getHeader('host'))) req.setHeader('Host', hostHeader(target));
  if (auth && !req.getHeader('authorization')) {
    const credentials = Buffer.from(auth).toString('base64');
    req.setHeader('Authorization', `Basic ${credentials}`);
  }
  // With an Expect header the head is sent before the body.
  if (headers && req.getHeader('expect')) req._implicitHeader();
}

function hostHeader({ host, port, defaultPort }) {
  const isBareV6 = host.includes(':') && !host.startsWith('[') && host.split(':').length > 2;
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

function setOnSocket(req, method, ...values) { withConnection(req, (socket) => { if (socket.writable) socket[method](...values); }); }

// Each request queues its output until it has a socket.
Object.defineProperty(ClientRequest.prototype, 'outputData', { value: undefined, writable: true, configurable: true });

Object.assign(ClientRequest.prototype, {
  // Initial values.
  [kState]: OutgoingMessage.prototype[kState] | state.QUEUED,
  method: 'GET', maxHeaderSize: undefined, joinDuplicateHeaders: undefined, socketPath: undefined, res: null,
  parser: null, aborted: false, maxHeadersCount: null, reusedSocket: false, upgradeOrConnect: false, _ended: false,

  // The agent calls this.
  onSocket(socket, error) {
    if (observers.tracker === undefined || !this[kRecord]) {
      process.nextTick(onSocketAssigned, this, socket, error);
      return;
    }
    const assign = () => process.nextTick(onSocketAssigned, this, socket, error);
    observers.tracker.runWith(this[kRecord].stores, assign, undefined, []);
  },

  _implicitHeader() {
    if (this._header) throw new codes.ERR_HTTP_HEADERS_SENT('render');
    storeHeader(this, this[kHeaders]);
  },

  end(chunk, encoding, callback) {
    const wasFinished = this.finished;
    OutgoingMessage.prototype.end.call(this, chunk, encoding, callback);
    if (!wasFinished) observers.publish?.('http.client.request.start', { request: this });
    return this;
  },

  setNoDelay(enable) { setOnSocket(this, 'setNoDelay', enable); },
  setSocketKeepAlive(enable, initialDelay) { setOnSocket(this, 'setKeepAlive', enable, initialDelay); },

  setTimeout(time, listener) {
    if (this._ended) return this;
    listenSocketTimeout(this);
    const msecs = getTimerDuration(time, 'msecs');
    if (listener) this.once('timeout', listener);
    return withConnection(this, (socket) => socket.setTimeout(msecs));
  },

  clearTimeout(listener) { this.setTimeout(0, listener); },

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
