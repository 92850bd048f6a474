// What a client does with the socket of a request: it reads the response, and gives the socket back
// or closes it when both are done.

const { connResetException } = require('internal/errors');
const { ondrain } = require('internal/http/common');
const {
  IncomingMessage, endMessage, kHeadersCount, pauseSocket, resumeSocket,
} = require('internal/http/incoming');
const { KEEP_ALIVE, NORMAL, NO_BODY, Parser, UPGRADE, UPGRADED } = require('internal/http/parser');

function attachParser(req, socket) {
  const parser = new Parser(false, req.maxHeaderSize);
  req.socket = socket;
  req.parser = parser;
  parser.socket = socket;
  socket.parser = parser;
  socket._httpMessage = req;
  parser.onHead = (head) => onHead(parser, head);
  parser.onBody = (part) => onBody(parser, part);
  parser.onComplete = () => onComplete(parser);
  socket.on('error', onError);
  socket.on('data', onData);
  socket.on('end', onEnd);
  socket.on('close', onClose);
}

// The parser's part is over.
function detachParser(parser, req, socket) {
  if (!parser) return;
  parser.close();
  socket.removeListener('data', onData);
  socket.removeListener('end', onEnd);
  socket.removeListener('drain', ondrain);
  if (socket.parser === parser) socket.parser = null;
  if (req?.parser === parser) req.parser = null;
}

function isInformational(status) {
  // 101 is the last word of HTTP on a connection.
  return status < 200 && status >= 100 && status !== 101;
}

// --- what comes in -------------------------------------------------------------------------------

function onData(data) {
  const socket = this;
  const req = socket._httpMessage;
  const { parser } = socket;
  const result = parser.execute(data);
  const { incoming } = parser;
  if (typeof result !== 'number') {
    detachParser(parser, req, socket);
    socket.destroy();
    req.socket._hadError = true;
    req.emit('error', result);
  } else if (incoming?.upgrade) {
    upgrade(req, socket, incoming, data.subarray(result));
  } else if (incoming?.complete && !isInformational(incoming.statusCode)) {
    detachParser(parser, req, socket);
  }
}

function upgrade(req, socket, res, rest) {
  req.res = res;
  detachParser(socket.parser, req, socket);
  if (req.timeoutCb) socket.removeListener('timeout', req.timeoutCb);
  const event = req.method === 'CONNECT' ? 'connect' : 'upgrade';
  if (req.listenerCount(event) === 0) {
    req.destroy();
    return;
  }
  req.upgradeOrConnect = true;
  socket.emit('agentRemove');
  socket.removeListener('close', onClose);
  socket.removeListener('error', onError);
  socket._httpMessage = null;
  socket.readableFlowing = null;
  req.emit(event, res, socket, rest);
  req.destroyed = true;
  req._closed = true;
  req.emit('close');
}

function onHead(parser, head) {
  const { socket } = parser;
  const req = socket._httpMessage;
  if (req.res) {
    // A second response to one request.
    socket.destroy();
    return NORMAL;
  }
  const flags = head[1];
  const res = new IncomingMessage(socket);
  res.httpVersionMajor = 1;
  res.httpVersionMinor = head[3];
  res.httpVersion = `1.${head[3]}`;
  res.joinDuplicateHeaders = req.joinDuplicateHeaders;
  res.statusCode = head[4];
  res.statusMessage = head[5];
  res.rawHeaders = head[6];
  if (req.maxHeadersCount > 0) res[kHeadersCount] = req.maxHeadersCount * 2;
  res.upgrade = (flags & UPGRADE) !== 0 && res.statusCode === 101;
  parser.incoming = res;
  req.res = res;
  if (res.upgrade) return UPGRADED;
  if (req.method === 'CONNECT') {
    res.upgrade = true;
    return UPGRADED;
  }
  if (isInformational(res.statusCode)) {
    inform(req, res);
    return NO_BODY;
  }
  const keepAlive = (flags & KEEP_ALIVE) !== 0 && hasEnd(req, head);
  if (req.shouldKeepAlive && !keepAlive && !req.upgradeOrConnect) req.shouldKeepAlive = false;
  res.req = req;
  res.on('end', onResponseEnd);
  req.on('finish', onRequestFinish);
  socket.on('drain', ondrain);
  // Nobody can read what nobody has asked for.
  if (req.aborted || !req.emit('response', res)) res._dump();
  if (req.method === 'HEAD') return NO_BODY;
  if (res.statusCode === 304) {
    res.complete = true;
    return NO_BODY;
  }
  return NORMAL;
}

// Whether the response ends before the connection does.
function hasEnd(req, head) {
  const status = head[4];
  return (head[1] & 3) !== 0 || status === 204 || status === 304 || req.method === 'HEAD';
}

function inform(req, res) {
  req.res = null;
  if (res.statusCode === 100) req.emit('continue');
  req.emit('information', {
    statusCode: res.statusCode,
    statusMessage: res.statusMessage,
    httpVersion: res.httpVersion,
    httpVersionMajor: res.httpVersionMajor,
    httpVersionMinor: res.httpVersionMinor,
    headers: res.headers,
    rawHeaders: res.rawHeaders,
  });
}

function onBody(parser, part) {
  const res = parser.incoming;
  if (res !== null && !res._dumped && !res.push(part)) pauseSocket(parser.socket);
}

function onComplete(parser) {
  const res = parser.incoming;
  if (res !== null) {
    if (parser.trailers) res.rawTrailers = parser.trailers;
    endMessage(res);
  }
  if (parser.socket.readable) resumeSocket(parser.socket);
}

// --- the end -------------------------------------------------------------------------------------

function onResponseEnd() {
  const { req } = this;
  const { socket } = req;
  if (socket && req.timeoutCb) socket.removeListener('timeout', req.timeoutCb);
  req._ended = true;
  if (!req.shouldKeepAlive) {
    if (socket.writable) {
      if (typeof socket.destroySoon === 'function') socket.destroySoon();
      else socket.end();
    }
  } else if (req.writableFinished && !this.aborted) {
    giveBack(req);
  }
}

function onRequestFinish() {
  if (this.shouldKeepAlive && this._ended) giveBack(this);
}

// Lets the agent have the socket, after the listeners of the script have run.
function giveBack(req) {
  const { socket } = req;
  if (req.timeoutCb) {
    socket.setTimeout(0, req.timeoutCb);
    req.timeoutCb = null;
  }
  socket.removeListener('close', onClose);
  socket.removeListener('error', onError);
  detachParser(socket.parser, req, socket);
  process.nextTick(() => {
    req._closed = true;
    req.emit('close');
    if (req.socket) req.socket.emit('free');
  });
  req.destroyed = true;
  // The message must not take the socket with it.
  if (req.res) req.res.socket = null;
}

function onEnd() {
  const socket = this;
  const req = socket._httpMessage;
  const { parser } = socket;
  if (!req.res && !req.socket._hadError) {
    req.socket._hadError = true;
    req.emit('error', connResetException('socket hang up'));
  }
  if (parser) {
    parser.finish();
    detachParser(parser, req, socket);
  }
  socket.end();
}

function onError(err) {
  const socket = this;
  const req = socket._httpMessage;
  if (req) {
    req.socket._hadError = true;
    req.emit('error', err);
  }
  const { parser } = socket;
  if (parser) {
    parser.finish();
    detachParser(parser, req, socket);
  }
  socket.destroy();
}

function onClose() {
  const socket = this;
  const req = socket._httpMessage;
  const { parser } = socket;
  // What is left in the stream is looked at first.
  socket.read();
  req.destroyed = true;
  const { res } = req;
  if (res) {
    if (!res.complete) res.destroy(connResetException('aborted'));
    req._closed = true;
    req.emit('close');
    if (!res.aborted && res.readable) res.push(null);
  } else {
    if (!req.socket._hadError) {
      req.socket._hadError = true;
      req.emit('error', connResetException('socket hang up'));
    }
    req._closed = true;
    req.emit('close');
  }
  if (req.outputData) req.outputData.length = 0;
  if (parser) {
    parser.finish();
    detachParser(parser, req, socket);
  }
}

module.exports = { attachParser };
