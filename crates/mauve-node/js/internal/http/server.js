// http.Server: parses requests from its connections and sends the responses in the order of the requests.
const { Server: NetServer } = require('net');
const { codes, connResetException } = require('internal/errors');
const validate = require('internal/validators');
const { STATUS_CODES, exchangeDetail, kMeasure, kState, kUniqueHeaders, parseUniqueHeadersOption, state } = require('internal/http/common');
const { emitDrain } = require('internal/http/outgoing');
const { ServerResponse, emitClose } = require('internal/http/response');
const { EMPTY, EXPECT, HOST, KEEP_ALIVE, NORMAL, Parser, UPGRADE, UPGRADED, rejectInsecureOption } = require('internal/http/parser');
const { IncomingMessage, addBody, discard, endMessage, hasEmittedEnd, isResuming, kHeadersCount } = require('internal/http/incoming');
const SocketConsumer = require('internal/http/socket_consumer');
const { refreshTimer } = require('internal/net/socket_timeout');
const { clearInterval, setInterval, setTimeout } = require('timers');
const observers = require('internal/async_state');
const { methods: METHODS } = binding('http');
const kRejection = Symbol.for('nodejs.rejection');
const kConnections = Symbol('connections');
const kCheck = Symbol('check');
// The options IncomingMessage and ServerResponse, or the default classes.
const kClasses = Symbol('classes');

function Server(settings, listener) {
  if (!(this instanceof Server)) return new Server(settings, listener);
  if (typeof settings === 'function') [settings, listener] = [{}, settings];
  settings ??= {};
  validate.validateObject(settings, 'options');
  const own = checkedSettings(settings);
  const { highWaterMark, keepAlive, keepAliveInitialDelay } = settings;
  const noDelay = settings.noDelay ?? true;
  // A client may end its side and still read the response.
  NetServer.call(this, { allowHalfOpen: true, highWaterMark, keepAlive, keepAliveInitialDelay, noDelay });
  Object.assign(this, own, { httpAllowHalfOpen: false, timeout: 0, maxHeadersCount: null, maxRequestsPerSocket: 0 });
  this[kUniqueHeaders] = parseUniqueHeadersOption(settings.uniqueHeaders);
  this[kClasses] = { IncomingMessage, ServerResponse };
  for (const name in this[kClasses]) if (settings[name]) this[kClasses][name] = settings[name];
  this[kConnections] = new Set();
  this._idleTimer = null;
  if (listener) this.on('request', listener);
  this.on('connection', (socket) => new Connection(this, socket));
  this.on('listening', startTimeoutChecks);
}
Object.setPrototypeOf(Server.prototype, NetServer.prototype);
Object.setPrototypeOf(Server, NetServer);

// Default timeouts in milliseconds. headersTimeout is at most requestTimeout, which includes it.
const TIMEOUTS = {
  requestTimeout: () => 300_000,
  headersTimeout: ({ requestTimeout }) => Math.min(60_000, requestTimeout || Infinity),
  keepAliveTimeout: () => 5_000,
  connectionsCheckingInterval: () => 30_000,
};

// Boolean options and their defaults.
const BOOLEAN_OPTIONS = { requireHostHeader: true, joinDuplicateHeaders: false, rejectNonStandardBodyWrites: false };

// Validates the options that become properties of the server.
function checkedSettings(settings) {
  const { maxHeaderSize } = settings;
  const own = { maxHeaderSize };
  if (maxHeaderSize !== undefined) validate.validateInteger(maxHeaderSize, 'maxHeaderSize', 0);
  rejectInsecureOption(settings.insecureHTTPParser);
  for (const name in BOOLEAN_OPTIONS) {
    own[name] = settings[name] ?? BOOLEAN_OPTIONS[name];
    if (settings[name] !== undefined) validate.validateBoolean(settings[name], `options.${name}`);
  }
  for (const name in TIMEOUTS) {
    const time = settings[name];
    if (time !== undefined) validate.validateInteger(time, name, 0);
    own[name] = time ?? TIMEOUTS[name](own);
    const { requestTimeout: whole, headersTimeout: part } = own;
    if (name === 'headersTimeout' && whole > 0 && part > whole) throw new codes.ERR_OUT_OF_RANGE(name, '<= requestTimeout', time);
  }
  return own;
}

function destroyConnections(server, matches) {
  for (const connection of [...server[kConnections]]) {
    if (matches(connection)) connection.socket.destroy();
  }
}

Object.assign(Server.prototype, {
  setTimeout(time, listener) {
    this.timeout = time;
    return listener ? this.on('timeout', listener) : this;
  },

  close(cb) {
    clearInterval(this[kCheck]);
    this.closeIdleConnections();
    return NetServer.prototype.close.call(this, cb);
  },

  closeAllConnections() { destroyConnections(this, () => true); },

  closeIdleConnections() { destroyConnections(this, (connection) => connection.isIdle()); },

  // An async listener of 'request' has failed.
  [kRejection](err, event, ...args) {
    if (event !== 'request') {
      NetServer.prototype[kRejection].call(this, err, event, ...args);
      return;
    }
    const [, res] = args;
    if (res.headersSent || res.writableEnded) {
      res.destroy();
      return;
    }
    for (const name of res.getHeaderNames()) res.removeHeader(name);
    res.statusCode = 500;
    res.end(STATUS_CODES[500]);
  },
});

// Checks headersTimeout and requestTimeout of all connections periodically.
function startTimeoutChecks() {
  clearInterval(this[kCheck]);
  this[kCheck] = setInterval(() => {
    const now = Date.now();
    for (const connection of [...this[kConnections]]) connection.checkTimeouts(now);
  }, this.connectionsCheckingInterval).unref();
}

// Connections stay open for longer than the response announces, so that a request in transit is answered.
const KEEP_ALIVE_BUFFER = 1000;

// Closes connections whose keepAliveTimeout has expired.
function checkIdle(server) {
  server._idleTimer = null;
  const now = Date.now();
  const idle = [...server[kConnections]].filter(({ idleDeadline }) => idleDeadline > 0);
  idle.sort((a, b) => a.idleDeadline - b.idleDeadline);
  for (const connection of idle) {
    if (connection.idleDeadline > now) {
      server._idleTimer = setTimeout(checkIdle, connection.idleDeadline - now, server).unref();
      return;
    }
    connection.idleDeadline = 0;
    connection.onTimeout();
  }
}

const BAD_REQUEST = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n';
const ERROR_RESPONSES = {
  HPE_HEADER_OVERFLOW: 'HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\n\r\n',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'HTTP/1.1 413 Payload Too Large\r\nConnection: close\r\n\r\n',
  ERR_HTTP_REQUEST_TIMEOUT: 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n',
};

function noop() {}

// Lets a request be freed when it has been read, if the parser has not started the next one.
function clearIncoming(req = this) {
  const parser = req.socket?.parser;
  if (parser?.incoming !== req) return;
  if (hasEmittedEnd(req)) parser.incoming = null;
  else req.on('end', clearIncoming);
}

function rejectEncoding() { throw new codes.ERR_HTTP_SOCKET_ENCODING(); }

const DEFAULT_MAX_FIELDS = 2000;

// The resource of a connection in async_hooks.
class HTTPServerAsyncResource {
  constructor(socket) { Object.assign(this, { type: 'HTTPINCOMINGMESSAGE', socket }); }
}

// One connection of a server: its parser, and the requests and responses on it.
class Connection {
  constructor(server, socket) {
    this.server = server;
    this.socket = socket;
    this.Request = server[kClasses].IncomingMessage;
    this.Response = server[kClasses].ServerResponse;
    this.uniqueHeaders = server[kUniqueHeaders];
    // The request whose response is sent next, and the requests after it.
    this.request = null;
    this.incoming = [];
    this.outgoing = [];
    this.outgoingData = 0;
    this.requests = 0;
    // When keepAliveTimeout expires; 0 while the connection is in use.
    this.idleDeadline = 0;
    // Larger chunks of a body fill the buffer of a request.
    this.maxChunk = socket.readableHighWaterMark ?? 0;
    // The options of responses.
    this.responseSettings = { highWaterMark: socket.writableHighWaterMark, rejectNonStandardBodyWrites: server.rejectNonStandardBodyWrites };
    // When the first byte of the current request arrived (0 between requests), and whether its head is
    // complete.
    this.requestStart = Date.now();
    this.headDone = false;
    socket.server ??= server;
    socket.setEncoding = rejectEncoding;
    socket._paused = false;
    if (server.timeout && typeof socket.setTimeout === 'function') socket.setTimeout(server.timeout);

    const parser = socket.parser = this.parser = new Parser(this, true, server.maxHeaderSize,
      observers.tracker?.create('HTTPINCOMINGMESSAGE', new HTTPServerAsyncResource(socket)),
      server.maxHeadersCount ?? DEFAULT_MAX_FIELDS);
    this.listeners = {
      timeout: () => this.onTimeout(),
      error: (err) => this.onError(err),
      end: () => this.onEnd(),
      close: () => this.onClose(),
      drain: () => {
        if (socket._httpMessage) emitDrain(socket._httpMessage);
        this.onDrain();
      },
    };
    for (const event in this.listeners) socket.on(event, this.listeners[event]);
    this.consumer = new SocketConsumer(socket, parser, (data) => parser.execute(data));
    server[kConnections].add(this);
  }

  isIdle() {
    return this.request === null && this.outgoing.length === 0 && !this.socket._httpMessage &&
      !this.parser.isWithinMessage();
  }

  // --- requests

  onPartial() {
    refreshTimer(this.socket);
    if (this.requestStart === 0) this.requestStart = Date.now();
  }

  onHead(flags, method, url, fields, version) {
    const { server, socket } = this;
    socket._idleTimer?.refresh();
    this.idleDeadline = 0;
    if ((flags & EMPTY) === 0) {
      this.headDone = true;
      if (this.requestStart === 0) this.requestStart = Date.now();
    }
    const req = new this.Request(socket);
    req._version = version;
    req._fields = fields;
    if (server.joinDuplicateHeaders) req.joinDuplicateHeaders = true;
    req.method = METHODS[method];
    req.url = url;
    if (server.maxHeadersCount > 0) req[kHeadersCount] = server.maxHeadersCount * 2;
    req.upgrade = (flags & UPGRADE) !== 0 && (req.method === 'CONNECT' || server.listenerCount('upgrade') > 0);
    this.parser.incoming = req;
    if (req.upgrade) return UPGRADED;
    if (this.request === null) this.request = req;
    else this.incoming.push(req);
    const isFull = socket._writableState.needDrain || this.outgoingData >= this.responseSettings.highWaterMark;
    if (isFull && !socket._paused) {
      // Backpressure for a client that pipelines requests but does not read the responses.
      socket._paused = true;
      socket.pause();
    }
    const res = new this.Response(req, this.responseSettings);
    res._connection = this;
    if ((flags & KEEP_ALIVE) === 0) res[kState] &= ~state.KEEP_ALIVE;
    if (this.uniqueHeaders !== null) res[kUniqueHeaders] = this.uniqueHeaders;
    if (socket._httpMessage) this.outgoing.push(res);
    else res.assignSocket(socket);
    if (observers.measure !== undefined) res[kMeasure] = observers.measure('http', 'HttpRequest');
    observers.publish?.('http.server.request.start', { request: req, response: res, socket, server });
    // Fast path: most requests need no check of their headers.
    if (version === 11 && ((flags & (HOST | EXPECT)) !== HOST || server.maxRequestsPerSocket > 0)) {
      this.handleRequest(req, res);
    } else {
      server.emit('request', req, res);
    }
    return NORMAL;
  }

  // Rejects a request without Host or above maxRequestsPerSocket. Otherwise emits it.
  handleRequest(req, res) {
    const { server, socket } = this;
    const { expect, host } = req.headers;
    const max = server.maxRequestsPerSocket;
    if (host === undefined && server.requireHostHeader) {
      res.writeHead(400, ['Connection', 'close']).end();
      return;
    }
    if (typeof max === 'number' && max > 0) {
      this.requests++;
      res.maxRequestsOnConnectionReached = this.requests >= max;
      if (this.requests > max) {
        server.emit('dropRequest', req, socket);
        res.writeHead(503).end();
        return;
      }
    }
    if (expect === undefined) server.emit('request', req, res);
    else this.handleExpect(req, res, expect);
  }

  // Handles the Expect header: 100-continue, or another expectation.
  handleExpect(req, res, expect) {
    const { server } = this;
    const isContinue = /(?:^|\W)100-continue(?:$|\W)/i.test(expect);
    if (isContinue) res[kState] |= state.EXPECTS_CONTINUE;
    if (server.emit(isContinue ? 'checkContinue' : 'checkExpectation', req, res)) return;
    if (isContinue) {
      res.writeContinue();
      server.emit('request', req, res);
    } else {
      res.writeHead(417).end();
    }
  }

  onBody(part) {
    refreshTimer(this.socket);
    const req = this.parser.incoming;
    if (req !== null && !req._dumped && !addBody(req, part, this.maxChunk)) this.socket.pause();
  }

  onComplete(trailers) {
    this.requestStart = 0;
    this.headDone = false;
    const { consumer, parser, socket } = this;
    const req = parser.incoming;
    if (req !== null) endMessage(req, trailers);
    if (req?._dumped && hasEmittedEnd(req)) parser.incoming = null;
    if ((consumer.handle === null || consumer.paused) && socket.readable && !socket._paused) socket.resume();
  }

  onUpgraded(rest) {
    const { server, socket, parser } = this;
    const req = parser.incoming;
    // Without a listener the request was a normal one.
    if (!req?.upgrade) return;
    this.detach();
    // The socket starts in neither flowing nor paused mode.
    socket.readableFlowing = null;
    const event = req.method === 'CONNECT' ? 'connect' : 'upgrade';
    if (!server.emit(event, req, socket, rest)) socket.destroy();
  }

  // Removes everything HTTP from the socket.
  detach() {
    const { socket } = this;
    this.server[kConnections].delete(this);
    this.idleDeadline = 0;
    this.consumer.detach();
    for (const event in this.listeners) socket.removeListener(event, this.listeners[event]);
    this.parser.close();
    socket.parser = null;
  }

  // --- responses

  onPendingData(amount) {
    this.outgoingData += amount;
    this.onDrain();
  }

  onDrain() {
    const { socket } = this;
    if (!socket._paused) return;
    const isFull = socket._writableState.needDrain || this.outgoingData > socket.writableHighWaterMark;
    if (isFull) return;
    socket._paused = false;
    socket.resume();
  }

  onFinish(req, res) {
    const { server, socket } = this;
    if (observers.measure !== undefined) res[kMeasure]?.(() => exchangeDetail(req, req.url, res, res.getHeaders()));
    observers.publish?.('http.server.response.finish', { request: req, response: res, socket, server });
    this.request = this.incoming.length > 0 ? this.incoming.shift() : null;
    res.detachSocket(socket);
    // A body that is not read must still be consumed.
    if (!discard(req, res._eventsCount > 0) && !req._consumed && !isResuming(req)) req._dump();
    clearIncoming(req);
    process.nextTick(emitClose, res);
    if ((res[kState] & state.LAST) !== 0) {
      if (typeof socket.destroySoon === 'function') socket.destroySoon();
      else socket.end();
    } else if (this.outgoing.length === 0) {
      const { keepAliveTimeout } = server;
      if (keepAliveTimeout) this.startKeepAliveTimer(keepAliveTimeout + KEEP_ALIVE_BUFFER);
    } else {
      this.outgoing.shift().assignSocket(socket);
    }
  }

  // --- timeouts

  startKeepAliveTimer(time) {
    const { server } = this;
    this.idleDeadline = Date.now() + time;
    server._idleTimer ??= setTimeout(checkIdle, time, server).unref();
  }

  onTimeout() {
    const { server, socket } = this;
    const req = this.parser.incoming;
    const res = socket._httpMessage;
    const byRequest = req && !req.complete && req.emit('timeout', socket);
    const byResponse = res?.emit('timeout', socket);
    const byServer = server.emit('timeout', socket);
    if (!byRequest && !byResponse && !byServer) socket.destroy();
  }

  checkTimeouts(now) {
    if (this.requestStart === 0) return;
    const { headersTimeout, requestTimeout } = this.server;
    const elapsed = now - this.requestStart;
    const isLate = (!this.headDone && headersTimeout > 0 && elapsed >= headersTimeout) ||
      (requestTimeout > 0 && elapsed >= requestTimeout);
    if (isLate) this.onError(new codes.ERR_HTTP_REQUEST_TIMEOUT());
  }

  // --- the end

  onEnd() {
    const { server, socket } = this;
    let isInvalid = false;
    this.onInvalid = (err) => {
      isInvalid = true;
      this.onError(err);
    };
    this.parser.finish();
    // With httpAllowHalfOpen the pending responses are still sent.
    const last = server.httpAllowHalfOpen ? this.outgoing.at(-1) ?? socket._httpMessage : null;
    if (isInvalid) return;
    if (last) last._last = true;
    else socket.end();
  }

  onClose() {
    this.server[kConnections].delete(this);
    this.idleDeadline = 0;
    this.parser.close();
    for (let { request: req } = this; req !== null; req = this.request) {
      this.request = this.incoming.shift() ?? null;
      req.destroy(connResetException('aborted'));
    }
    const res = this.socket._httpMessage;
    if (res) emitClose(res);
  }

  onInvalid(err) { this.onError(err); }

  // The handle has ended or failed.
  onReadError(errno) { this.consumer.handle?.onread(errno); }

  onError(err) {
    const { server, socket } = this;
    // Ignores further errors.
    socket.removeListener('error', this.listeners.error);
    if (socket.listenerCount('error') === 0) socket.on('error', noop);
    if (server.emit('clientError', err, socket)) return;
    if (socket.writable && !socket._httpMessage?._headerSent) socket.write(ERROR_RESPONSES[err.code] ?? BAD_REQUEST);
    socket.destroy(err);
  }
}

module.exports = { Server };
