// One request and the response to it on a socket of a client. The response is read; when both are done
// the socket goes back to the agent, or is closed.

const { connResetException } = require('internal/errors');
const { relieve } = require('internal/http/common');
const {
  IncomingMessage, endMessage, kHeadersCount, pauseSocket, resumeSocket,
} = require('internal/http/incoming');
const { KEEP_ALIVE, NORMAL, NO_BODY, Parser, UPGRADE, UPGRADED } = require('internal/http/parser');

// Whether a request hears of silence on its socket.
const kHears = Symbol('hears');

function passOn() {
  this._httpMessage?.emit('timeout');
}

function hearSilence(req) {
  if (req[kHears]) return;
  req[kHears] = true;
  const listen = (socket) => socket.once('timeout', passOn);
  if (req.socket) listen(req.socket);
  else req.on('socket', listen);
}

function listenTo(emitter, listeners) {
  for (const event in listeners) emitter.on(event, listeners[event]);
}

function leave(emitter, listeners) {
  for (const event in listeners) emitter.off(event, listeners[event]);
}

// 101 is the last word of HTTP on a connection, the others of its class are not.
function isInformational(status) {
  return status >= 100 && status < 200 && status !== 101;
}

// Whether a response with this head ends before the connection does.
function hasEnd(method, flags, status) {
  return (flags & 3) !== 0 || status === 204 || status === 304 || method === 'HEAD';
}

// What is told of a response that another one will follow.
const NEWS = [
  'statusCode', 'statusMessage', 'httpVersion', 'httpVersionMajor', 'httpVersionMinor', 'headers',
  'rawHeaders',
];

function close(req) {
  req._closed = true;
  req.emit('close');
}

class Exchange {
  constructor(req, socket) {
    this.req = req;
    this.socket = socket;
    // Null when there is nothing more to be read.
    this.parser = Object.assign(new Parser(false, req.maxHeaderSize), {
      socket,
      onHead: (head) => this.onHead(head),
      onBody: (part) => this.onBody(part),
      onComplete: () => this.onComplete(),
    });
    // As long as the response comes.
    this.reading = { data: (data) => this.onData(data), end: () => this.onEnd() };
    // As long as the socket is ours.
    this.owning = {
      error: (err) => this.onError(err),
      close: () => this.onClose(),
      drain: () => relieve(socket),
    };
    req.socket = socket;
    req.parser = socket.parser = this.parser;
    socket._httpMessage = req;
    listenTo(socket, this.owning);
    listenTo(socket, this.reading);
  }

  stopReading() {
    const { parser, req, socket } = this;
    if (parser === null) return;
    this.parser = null;
    parser.close();
    leave(socket, this.reading);
    for (const holder of [req, socket]) if (holder.parser === parser) holder.parser = null;
  }

  // The connection is over; a response without a length ends with it.
  finishReading() {
    this.parser?.finish();
    this.stopReading();
  }

  // Tells the request of an error, after which its end is no news.
  fail(err) {
    this.socket._hadError = true;
    this.req.emit('error', err);
  }

  // The same, for a connection that has ended without a response.
  hangUp() {
    if (!this.socket._hadError) this.fail(connResetException('socket hang up'));
  }

  // --- what comes in

  onData(data) {
    const { parser, socket } = this;
    const used = parser.execute(data);
    const res = parser.incoming;
    if (typeof used !== 'number') {
      this.stopReading();
      socket.destroy();
      this.fail(used);
    } else if (res?.upgrade) {
      this.upgrade(res, data.subarray(used));
    } else if (res?.complete && !isInformational(res.statusCode)) {
      this.stopReading();
    }
  }

  onHead(head) {
    const { parser, req, socket } = this;
    if (req.res) {
      // A second response to one request.
      socket.destroy();
      return NORMAL;
    }
    const res = parser.incoming = req.res = responseOf(req, socket, head);
    if (res.upgrade) return UPGRADED;
    const status = res.statusCode;
    if (isInformational(status)) {
      this.inform(res);
      return NO_BODY;
    }
    const isLast = (head[1] & KEEP_ALIVE) === 0 || !hasEnd(req.method, head[1], status);
    if (isLast && !req.upgradeOrConnect) req.shouldKeepAlive = false;
    res.req = req;
    res.on('end', () => this.onResponseEnd(res));
    req.on('finish', () => this.onRequestFinish());
    // Nobody can read what nobody has asked for.
    if (req.aborted || !req.emit('response', res)) res._dump();
    if (status === 304 && req.method !== 'HEAD') res.complete = true;
    return status === 304 || req.method === 'HEAD' ? NO_BODY : NORMAL;
  }

  inform(res) {
    const { req } = this;
    req.res = null;
    if (res.statusCode === 100) req.emit('continue');
    req.emit('information', Object.fromEntries(NEWS.map((name) => [name, res[name]])));
  }

  onBody(part) {
    const res = this.parser?.incoming;
    if (res && !res._dumped && !res.push(part)) pauseSocket(this.socket);
  }

  onComplete() {
    const { parser, socket } = this;
    const res = parser?.incoming;
    if (res) {
      if (parser.trailers) res.rawTrailers = parser.trailers;
      endMessage(res);
    }
    if (socket.readable) resumeSocket(socket);
  }

  // The socket is the script's from now on, if it wants it.
  upgrade(res, rest) {
    const { req, socket } = this;
    const event = req.method === 'CONNECT' ? 'connect' : 'upgrade';
    this.stopReading();
    if (req[kHears]) socket.off('timeout', passOn);
    if (req.listenerCount(event) === 0) {
      req.destroy();
      return;
    }
    req.upgradeOrConnect = true;
    socket.emit('agentRemove');
    leave(socket, this.owning);
    Object.assign(socket, { _httpMessage: null, readableFlowing: null });
    req.emit(event, res, socket, rest);
    req.destroyed = true;
    close(req);
  }

  // --- the end

  onResponseEnd(res) {
    const { req, socket } = this;
    if (req[kHears]) socket.off('timeout', passOn);
    req._ended = true;
    if (req.shouldKeepAlive) {
      if (req.writableFinished && !res.aborted) this.giveBack();
    } else if (socket.writable) {
      // Sockets that the script has made may know less than ours.
      const end = typeof socket.destroySoon === 'function' ? 'destroySoon' : 'end';
      socket[end]();
    }
  }

  onRequestFinish() {
    if (this.req._ended && this.req.shouldKeepAlive) this.giveBack();
  }

  // Lets the agent have the socket, after the listeners of the script have run.
  giveBack() {
    const { req, socket } = this;
    if (req[kHears]) {
      req[kHears] = false;
      socket.setTimeout(0, passOn);
    }
    leave(socket, this.owning);
    this.stopReading();
    process.nextTick(() => {
      close(req);
      req.socket?.emit('free');
    });
    req.destroyed = true;
    // The message must not take the socket with it.
    if (req.res) req.res.socket = null;
  }

  onEnd() {
    if (!this.req.res) this.hangUp();
    this.finishReading();
    this.socket.end();
  }

  onError(err) {
    this.fail(err);
    this.finishReading();
    this.socket.destroy();
  }

  onClose() {
    const { req, socket } = this;
    // What is left in the stream is looked at first.
    socket.read();
    req.destroyed = true;
    const { res } = req;
    if (!res) this.hangUp();
    else if (!res.complete) res.destroy(connResetException('aborted'));
    close(req);
    if (res && !res.aborted && res.readable) res.push(null);
    if (req.outputData) req.outputData.length = 0;
    this.finishReading();
  }
}

function responseOf(req, socket, [, flags, , minor, status, reason, rawHeaders]) {
  const res = new IncomingMessage(socket);
  Object.assign(res, {
    httpVersionMajor: 1,
    httpVersionMinor: minor,
    httpVersion: `1.${minor}`,
    joinDuplicateHeaders: req.joinDuplicateHeaders,
    statusCode: status,
    statusMessage: reason,
    rawHeaders,
    upgrade: req.method === 'CONNECT' || (status === 101 && (flags & UPGRADE) !== 0),
  });
  if (req.maxHeadersCount > 0) res[kHeadersCount] = 2 * req.maxHeadersCount;
  return res;
}

module.exports = { Exchange, hearSilence };
