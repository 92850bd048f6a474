// http.Server: connections become requests, and responses go back in the order of their requests.

const { Server: NetServer } = require('net');
const { codes, connResetException } = require('internal/errors');
const validate = require('internal/validators');
const { joinedNames, kJoined, relieve } = require('internal/http/common');
const { ServerResponse, emitClose, kAwaited } = require('internal/http/response');
const {
  EXPECT, HOST, KEEP_ALIVE, NORMAL, Parser, UPGRADE, UPGRADED,
} = require('internal/http/parser');
const {
  IncomingMessage, endMessage, isUntouched, kHeadersCount, pauseSocket, resumeSocket,
} = require('internal/http/incoming');
const Feed = require('internal/http/feed');
const { clearInterval, setInterval, setTimeout } = require('timers');

const { drain } = binding('host');

const kConnections = Symbol('connections');
const kIdle = Symbol('idle');
const kIdleTimer = Symbol('idleTimer');
const kCheck = Symbol('check');
// The classes of requests and responses.
const kClasses = Symbol('classes');

function Server(settings, listener) {
  if (!(this instanceof Server)) return new Server(settings, listener);
  if (typeof settings === 'function') [settings, listener] = [{}, settings];
  settings ??= {};
  validate.validateObject(settings, 'options');
  const own = checkedSettings(settings);
  const { highWaterMark, keepAlive, keepAliveInitialDelay } = settings;
  const noDelay = settings.noDelay ?? true;
  // A client may end its side and still wait for the answer.
  const allowHalfOpen = true;
  NetServer.call(this, { allowHalfOpen, highWaterMark, keepAlive, keepAliveInitialDelay, noDelay });
  Object.assign(this, own, {
    httpAllowHalfOpen: false,
    timeout: 0,
    maxHeadersCount: null,
    maxRequestsPerSocket: 0,
  });
  this[kJoined] = joinedNames(settings.uniqueHeaders);
  this[kClasses] = { IncomingMessage, ServerResponse };
  for (const name in this[kClasses]) if (settings[name]) this[kClasses][name] = settings[name];
  this[kConnections] = new Set();
  // Connections that wait for the next request, the longest first.
  this[kIdle] = new Map();
  this[kIdleTimer] = null;
  if (listener) this.on('request', listener);
  this.on('connection', (socket) => new Connection(this, socket));
  this.on('listening', startChecking);
}
Object.setPrototypeOf(Server.prototype, NetServer.prototype);
Object.setPrototypeOf(Server, NetServer);

// How long a server waits, in milliseconds, if nobody says otherwise. A head is a part of a request:
// it cannot have more time.
const PATIENCE = {
  requestTimeout: () => 300_000,
  headersTimeout: ({ requestTimeout }) => Math.min(60_000, requestTimeout || Infinity),
  keepAliveTimeout: () => 5_000,
  connectionsCheckingInterval: () => 30_000,
};

// Switches, and how they are set if nobody touches them.
const SWITCHES = { insecureHTTPParser: undefined, requireHostHeader: true, joinDuplicateHeaders: false };

// The properties of a server that are options as they are, if they are good.
function checkedSettings(settings) {
  const { maxHeaderSize } = settings;
  const own = { maxHeaderSize };
  if (maxHeaderSize !== undefined) validate.validateInteger(maxHeaderSize, 'maxHeaderSize', 0);
  for (const name in SWITCHES) {
    own[name] = settings[name] ?? SWITCHES[name];
    if (settings[name] !== undefined) validate.validateBoolean(settings[name], `options.${name}`);
  }
  for (const name in PATIENCE) {
    const time = settings[name];
    if (time !== undefined) validate.validateInteger(time, name, 0);
    own[name] = time ?? PATIENCE[name](own);
    const { requestTimeout: whole, headersTimeout: part } = own;
    if (name === 'headersTimeout' && whole > 0 && part > whole) {
      throw new codes.ERR_OUT_OF_RANGE(name, '<= requestTimeout', time);
    }
  }
  return own;
}

function closeThose(server, isMeant) {
  for (const connection of [...server[kConnections]]) {
    if (isMeant(connection)) connection.socket.destroy();
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

  closeAllConnections() {
    closeThose(this, () => true);
  },

  closeIdleConnections() {
    closeThose(this, (connection) => connection.isIdle());
  },
});

// Looks now and then for clients that take too long to say what they want.
function startChecking() {
  clearInterval(this[kCheck]);
  this[kCheck] = setInterval(() => {
    const now = Date.now();
    for (const connection of [...this[kConnections]]) connection.checkTime(now);
  }, this.connectionsCheckingInterval).unref();
}

// Closes connections that have waited for the next request for too long.
function checkIdle(server) {
  server[kIdleTimer] = null;
  const now = Date.now();
  for (const [connection, deadline] of server[kIdle]) {
    if (deadline > now) {
      server[kIdleTimer] = setTimeout(checkIdle, deadline - now, server).unref();
      return;
    }
    server[kIdle].delete(connection);
    connection.onTimeout();
  }
}

const BAD_REQUEST = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n';
const REFUSALS = {
  HPE_HEADER_OVERFLOW: 'HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\n\r\n',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'HTTP/1.1 413 Payload Too Large\r\nConnection: close\r\n\r\n',
  ERR_HTTP_REQUEST_TIMEOUT: 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n',
};

function noop() {}

// One connection of a server: its parser, and the requests and responses on it.
class Connection {
  constructor(server, socket) {
    this.server = server;
    this.socket = socket;
    this.incoming = [];
    this.outgoing = [];
    this.outgoingData = 0;
    this.requests = 0;
    // When the first byte of the request came that is not complete; and whether its head is.
    this.began = Date.now();
    this.headDone = false;
    socket.server ??= server;
    socket._paused = false;
    if (server.timeout && typeof socket.setTimeout === 'function') socket.setTimeout(server.timeout);

    const parser = this.parser = new Parser(true, server.maxHeaderSize);
    parser.socket = socket;
    parser.onHead = (head) => this.onHead(head);
    parser.onBody = (part) => this.onBody(part);
    parser.onComplete = () => this.onComplete();
    socket.parser = parser;
    this.listeners = {
      timeout: () => this.onTimeout(),
      error: (err) => this.onError(err),
      end: () => this.onEnd(),
      close: () => this.onClose(),
      drain: () => {
        relieve(socket);
        this.onDrain();
      },
    };
    for (const event in this.listeners) socket.on(event, this.listeners[event]);
    this.feed = new Feed(socket, (data) => this.onData(data));
    if (this.feed.handle) parser.drain = drain;
    server[kConnections].add(this);
  }

  isIdle() {
    return this.incoming.length === 0 && this.outgoing.length === 0 && !this.socket._httpMessage &&
      this.parser.rest === null;
  }

  // --- what comes in

  onData(data) {
    if (this.began === 0) this.began = Date.now();
    const result = this.parser.execute(data);
    if (typeof result !== 'number') this.onError(result);
    else if (this.parser.incoming?.upgrade) this.upgrade(data.subarray(result));
    else if (this.socket._paused) this.feed.pause();
  }

  onHead(head) {
    const { server, socket } = this;
    this.stopWaiting();
    this.headDone = true;
    const { IncomingMessage: Request, ServerResponse: Response } = server[kClasses];
    const req = new Request(socket);
    const flags = head[1];
    const minor = head[3];
    req.httpVersionMajor = 1;
    req.httpVersionMinor = minor;
    req.httpVersion = minor === 1 ? '1.1' : `1.${minor}`;
    req.joinDuplicateHeaders = server.joinDuplicateHeaders;
    req.method = head[4];
    req.url = head[5];
    req.rawHeaders = head[6];
    if (server.maxHeadersCount > 0) req[kHeadersCount] = server.maxHeadersCount * 2;
    req.upgrade = (flags & UPGRADE) !== 0;
    this.parser.incoming = req;
    if (req.upgrade) {
      req.upgrade = req.method === 'CONNECT' || server.listenerCount('upgrade') > 0;
      if (req.upgrade) return UPGRADED;
    }
    this.incoming.push(req);
    if (!socket._paused &&
        (socket._writableState.needDrain || this.outgoingData >= socket.writableHighWaterMark)) {
      // A client that asks faster than it reads the answers has to wait.
      socket._paused = true;
      pauseSocket(socket);
    }
    const res = new Response(req, { highWaterMark: socket.writableHighWaterMark });
    res._keepAliveTimeout = server.keepAliveTimeout;
    res._maxRequestsPerSocket = server.maxRequestsPerSocket;
    res._connection = this;
    if ((flags & KEEP_ALIVE) === 0) res.shouldKeepAlive = false;
    if (server[kJoined] !== null) res[kJoined] = server[kJoined];
    if (socket._httpMessage) this.outgoing.push(res);
    else res.assignSocket(socket);
    // Few requests need a look at their headers before the script has one.
    if (minor === 1 && ((flags & (HOST | EXPECT)) !== HOST || server.maxRequestsPerSocket > 0)) {
      this.answer(req, res);
    } else {
      server.emit('request', req, res);
    }
    return NORMAL;
  }

  // Hands the request to the script, unless it can be answered without.
  answer(req, res) {
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
    else this.answerExpectation(req, res, expect);
  }

  // What is expected is a word before the body, or something that only the script can know.
  answerExpectation(req, res, expect) {
    const { server } = this;
    res[kAwaited] = /(?:^|\W)100-continue(?:$|\W)/i.test(expect);
    if (server.emit(res[kAwaited] ? 'checkContinue' : 'checkExpectation', req, res)) return;
    if (res[kAwaited]) {
      res.writeContinue();
      server.emit('request', req, res);
    } else {
      res.writeHead(417).end();
    }
  }

  onBody(part) {
    const req = this.parser.incoming;
    if (req !== null && !req._dumped && !req.push(part)) pauseSocket(this.socket);
  }

  onComplete() {
    this.began = 0;
    this.headDone = false;
    const { parser } = this;
    const req = parser.incoming;
    if (req !== null) {
      if (parser.trailers) req.rawTrailers = parser.trailers;
      endMessage(req);
    }
    const { socket } = this;
    if (!this.feed.isReading() && socket.readable && !socket._paused) resumeSocket(socket);
  }

  upgrade(rest) {
    const { server, socket, parser } = this;
    const req = parser.incoming;
    this.leave();
    // It does not flow before somebody wants it to.
    socket.readableFlowing = null;
    const event = req.method === 'CONNECT' ? 'connect' : 'upgrade';
    if (!server.emit(event, req, socket, rest)) socket.destroy();
  }

  // The socket is no longer HTTP's.
  leave() {
    const { socket } = this;
    this.server[kConnections].delete(this);
    this.stopWaiting();
    this.feed.detach();
    for (const event in this.listeners) socket.removeListener(event, this.listeners[event]);
    this.parser.close();
    socket.parser = null;
  }

  // --- what goes out

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
    resumeSocket(socket);
  }

  onFinish(req, res) {
    const { server, socket } = this;
    this.incoming.shift();
    const { parser } = this;
    res.detachSocket(socket);
    if (isUntouched(req)) {
      req._dumped = true;
      if (parser.incoming === req) parser.incoming = null;
    } else {
      // Nobody has read the request: its rest must come off the wire all the same.
      if (!req._consumed) req._dump();
      if (parser.incoming !== req) {
        // The next one is on its way.
      } else if (req.readableEnded) {
        parser.incoming = null;
      } else {
        req.on('end', () => { if (parser.incoming === req) parser.incoming = null; });
      }
    }
    process.nextTick(emitClose, res);
    if (res._last) {
      if (typeof socket.destroySoon === 'function') socket.destroySoon();
      else socket.end();
    } else if (this.outgoing.length === 0) {
      if (server.keepAliveTimeout) this.startWaiting();
    } else {
      this.outgoing.shift().assignSocket(socket);
    }
  }

  // --- waiting

  startWaiting() {
    const { server } = this;
    const { keepAliveTimeout } = server;
    // The next connection is the last to be due, unless the time has been changed.
    server[kIdle].delete(this);
    server[kIdle].set(this, Date.now() + keepAliveTimeout);
    server[kIdleTimer] ??= setTimeout(checkIdle, keepAliveTimeout, server).unref();
  }

  stopWaiting() {
    this.server[kIdle].delete(this);
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

  checkTime(now) {
    if (this.began === 0) return;
    const { headersTimeout, requestTimeout } = this.server;
    const took = now - this.began;
    const isLate = (!this.headDone && headersTimeout > 0 && took >= headersTimeout) ||
      (requestTimeout > 0 && took >= requestTimeout);
    if (isLate) this.onError(new codes.ERR_HTTP_REQUEST_TIMEOUT());
  }

  // --- the end

  onEnd() {
    const { server, socket } = this;
    const error = this.parser.finish();
    // The answers that are still due may follow, if that is allowed.
    const last = server.httpAllowHalfOpen ? this.outgoing.at(-1) ?? socket._httpMessage : null;
    if (error) this.onError(error);
    else if (last) last._last = true;
    else socket.end();
  }

  onClose() {
    this.server[kConnections].delete(this);
    this.stopWaiting();
    this.parser.close();
    for (let req; (req = this.incoming.shift());) req.destroy(connResetException('aborted'));
    const res = this.socket._httpMessage;
    if (res) emitClose(res);
  }

  onError(err) {
    const { server, socket } = this;
    // Further errors are of no interest.
    socket.removeListener('error', this.listeners.error);
    if (socket.listenerCount('error') === 0) socket.on('error', noop);
    if (server.emit('clientError', err, socket)) return;
    if (socket.writable && !socket._httpMessage?._headerSent) {
      socket.write(REFUSALS[err.code] ?? BAD_REQUEST);
    }
    socket.destroy(err);
  }
}

module.exports = { Server };
