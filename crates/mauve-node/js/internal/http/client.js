// http.ClientRequest: a request on its way, and the response to it.

const net = require('net');
const { Buffer } = require('buffer');
const { codes, connResetException } = require('internal/errors');
const { validateBoolean, validateInteger } = require('internal/validators');
const { milliseconds } = require('internal/net/timeouts');
const {
  isToken, kOutHeaders, kUniqueHeaders, ondrain,
} = require('internal/http/common');
const { OutgoingMessage } = require('internal/http/outgoing');
const agents = require('internal/http/agent');
const { attachParser } = require('internal/http/client_parser');
const { finished } = require('stream');

const kError = Symbol('error');

// Characters that would end the request line.
const INVALID_PATH = /[^\u0021-\u00ff]/;

const WITHOUT_BODY = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

function ClientRequest(input, options, cb) {
  OutgoingMessage.call(this);
  if (typeof input === 'string') {
    input = require('internal/http/url_options')(new URL(input));
  } else if (isURL(input)) {
    input = require('internal/http/url_options')(input);
  } else {
    cb = options;
    options = input;
    input = null;
  }
  if (typeof options === 'function') {
    cb = options;
    options = input || {};
  } else {
    options = Object.assign(input || {}, options);
  }

  const agent = this.agent = chooseAgent(options);
  const { port, host, defaultPort } = this.checkTarget(options, agent);
  this.checkOptions(options);
  this.socketPath = options.socketPath;
  this.path = options.path || '/';
  if (cb) this.once('response', cb);
  this.useChunkedEncodingByDefault = !WITHOUT_BODY.has(this.method);
  this._ended = false;
  this.res = null;
  this.aborted = false;
  this.timeoutCb = null;
  this.upgradeOrConnect = false;
  this.parser = null;
  this.maxHeadersCount = null;
  this.reusedSocket = false;
  this.host = host;
  if (agent) {
    // A socket that nobody will use again is closed.
    const isReused = agent.keepAlive || Number.isFinite(agent.maxSockets);
    this._last = !isReused;
    this.shouldKeepAlive = !!isReused;
  }
  this.takeHeaders(options, host, port, defaultPort);
  if (options.uniqueHeaders) {
    this[kUniqueHeaders] = new Set(options.uniqueHeaders.flat().map((name) => name.toLowerCase()));
  }

  const forSocket = { ...options };
  delete forSocket.signal;
  if (options.signal) require('stream').addAbortSignal(options.signal, this);
  if (agent) agent.addRequest(this, forSocket);
  else this.connectAlone(forSocket);
}
Object.setPrototypeOf(ClientRequest.prototype, OutgoingMessage.prototype);
Object.setPrototypeOf(ClientRequest, OutgoingMessage);

// A URL rather than options. Asked without loading the class.
function isURL(input) {
  return Boolean(input?.href && input.protocol && input.auth === undefined && input.path === undefined);
}

function chooseAgent(options) {
  let { agent } = options;
  const usual = options._defaultAgent || agents.globalAgent;
  if (agent === false) {
    agent = new usual.constructor();
  } else if (agent === null || agent === undefined) {
    agent = typeof options.createConnection === 'function' ? undefined : usual;
  } else if (typeof agent.addRequest !== 'function') {
    throw new codes.ERR_INVALID_ARG_TYPE('options.agent',
      ['Agent-like Object', 'undefined', 'false'], agent);
  }
  return agent;
}

function validateHost(host, name) {
  if (host !== null && host !== undefined && typeof host !== 'string') {
    throw new codes.ERR_INVALID_ARG_TYPE(`options.${name}`, ['string', 'undefined', 'null'], host);
  }
  return host;
}

ClientRequest.prototype.checkTarget = function checkTarget(options, agent) {
  const usual = options._defaultAgent || agents.globalAgent;
  const protocol = options.protocol || usual.protocol;
  const expected = agent?.protocol ?? usual.protocol;
  if (options.path) {
    const path = String(options.path);
    if (INVALID_PATH.test(path)) throw new codes.ERR_UNESCAPED_CHARACTERS('Request path');
  }
  if (protocol !== expected) throw new codes.ERR_INVALID_PROTOCOL(protocol, expected);
  this.protocol = protocol;
  const defaultPort = options.defaultPort || agent?.defaultPort;
  const port = options.port = options.port || defaultPort || 80;
  const host = options.host =
    validateHost(options.hostname, 'hostname') || validateHost(options.host, 'host') || 'localhost';
  return { port, host, defaultPort };
};

ClientRequest.prototype.checkOptions = function checkOptions(options) {
  if (options.timeout !== undefined) this.timeout = milliseconds(options.timeout, 'timeout');
  const { method } = options;
  if (method !== null && method !== undefined && typeof method !== 'string') {
    throw new codes.ERR_INVALID_ARG_TYPE('options.method', 'string', method);
  }
  if (method) {
    if (!isToken(method)) throw new codes.ERR_INVALID_HTTP_TOKEN('Method', method);
    this.method = method.toUpperCase();
  } else {
    this.method = 'GET';
  }
  if (options.maxHeaderSize !== undefined) {
    validateInteger(options.maxHeaderSize, 'maxHeaderSize', 0);
  }
  this.maxHeaderSize = options.maxHeaderSize;
  for (const name of ['insecureHTTPParser', 'joinDuplicateHeaders']) {
    if (options[name] !== undefined) validateBoolean(options[name], `options.${name}`);
  }
  this.joinDuplicateHeaders = options.joinDuplicateHeaders;
};

ClientRequest.prototype.takeHeaders = function takeHeaders(options, host, port, defaultPort) {
  const firstLine = `${this.method} ${this.path} HTTP/1.1\r\n`;
  if (Array.isArray(options.headers)) {
    this._storeHeader(firstLine, options.headers);
    return;
  }
  for (const name of Object.keys(options.headers ?? {})) this.setHeader(name, options.headers[name]);
  const setHost = options.setHost !== undefined ? Boolean(options.setHost) : true;
  if (host && !this.getHeader('host') && setHost) {
    const isV6 = host.indexOf(':') !== host.lastIndexOf(':') && !host.startsWith('[');
    let text = isV6 ? `[${host}]` : host;
    if (port && +port !== defaultPort) text += `:${port}`;
    this.setHeader('Host', text);
  }
  if (options.auth && !this.getHeader('Authorization')) {
    this.setHeader('Authorization', `Basic ${Buffer.from(options.auth).toString('base64')}`);
  }
  if (this.getHeader('expect')) {
    if (this._header) throw new codes.ERR_HTTP_HEADERS_SENT('render');
    this._storeHeader(firstLine, this[kOutHeaders]);
  }
};

// Without an agent, the connection is for this request alone.
ClientRequest.prototype.connectAlone = function connectAlone(options) {
  this._last = true;
  this.shouldKeepAlive = false;
  options.path = this.socketPath || undefined;
  if (typeof options.createConnection !== 'function') {
    this.onSocket(net.createConnection(options));
    return;
  }
  let isDone = false;
  const done = (err, socket) => {
    if (isDone) return;
    isDone = true;
    if (err) process.nextTick(() => this.emit('error', err));
    else this.onSocket(socket);
  };
  try {
    const socket = options.createConnection(options, done);
    if (socket) done(null, socket);
  } catch (err) {
    done(err);
  }
};

ClientRequest.prototype._implicitHeader = function _implicitHeader() {
  if (this._header) throw new codes.ERR_HTTP_HEADERS_SENT('render');
  this._storeHeader(`${this.method} ${this.path} HTTP/1.1\r\n`, this[kOutHeaders]);
};

// --- the socket ----------------------------------------------------------------------------------

ClientRequest.prototype.onSocket = function onSocket(socket, err) {
  process.nextTick(takeSocket, this, socket, err);
};

function takeSocket(req, socket, err) {
  if (!req.destroyed && !err) {
    attachParser(req, socket);
    socket.on('drain', ondrain);
    if (req.timeout !== undefined || req.agent?.options?.timeout) listenSocketTimeout(req);
    req.emit('socket', socket);
    req._flush();
    return;
  }
  if (!socket) {
    end(req, err || req[kError]);
  } else if (!err && req.agent && !socket.destroyed) {
    // The request is gone, and another one may have its socket.
    end(req, req[kError]);
    socket.emit('free');
  } else {
    finished(socket.destroy(err || req[kError]), (error) => {
      if (error?.code === 'ERR_STREAM_PREMATURE_CLOSE') error = null;
      end(req, error || err);
    });
  }
}

function end(req, err) {
  if (!req.aborted && !err) err = connResetException('socket hang up');
  if (err) req.emit('error', err);
  req._closed = true;
  req.emit('close');
}

function deferToConnect(req, method, args) {
  const call = () => {
    if (req.socket.writable) req.socket[method](...args);
  };
  const onSocket = () => {
    if (req.socket.connecting) req.socket.once('connect', call);
    else call();
  };
  if (req.socket) onSocket();
  else req.once('socket', onSocket);
}

ClientRequest.prototype.setNoDelay = function setNoDelay(noDelay) {
  deferToConnect(this, 'setNoDelay', [noDelay]);
};

ClientRequest.prototype.setSocketKeepAlive = function setSocketKeepAlive(enable, initialDelay) {
  deferToConnect(this, 'setKeepAlive', [enable, initialDelay]);
};

ClientRequest.prototype.clearTimeout = function clearTimeout(cb) {
  this.setTimeout(0, cb);
};

function emitRequestTimeout() {
  this._httpMessage?.emit('timeout');
}

function listenSocketTimeout(req) {
  if (req.timeoutCb) return;
  req.timeoutCb = emitRequestTimeout;
  if (req.socket) req.socket.once('timeout', emitRequestTimeout);
  else req.on('socket', (socket) => socket.once('timeout', emitRequestTimeout));
}

ClientRequest.prototype.setTimeout = function setTimeout(msecs, callback) {
  if (this._ended) return this;
  listenSocketTimeout(this);
  msecs = milliseconds(msecs, 'msecs');
  if (callback) this.once('timeout', callback);
  const apply = (socket) => {
    if (socket.connecting) socket.once('connect', () => socket.setTimeout(msecs));
    else socket.setTimeout(msecs);
  };
  if (this.socket) apply(this.socket);
  else this.once('socket', apply);
  return this;
};

// --- the end -------------------------------------------------------------------------------------

ClientRequest.prototype.abort = function abort() {
  if (this.aborted) return;
  this.aborted = true;
  process.nextTick(() => this.emit('abort'));
  this.destroy();
};

ClientRequest.prototype.destroy = function destroy(err) {
  if (this.destroyed) return this;
  this.destroyed = true;
  this.res?._dump();
  this[kError] = err;
  this.socket?.destroy(err);
  return this;
};

module.exports = { ClientRequest };
