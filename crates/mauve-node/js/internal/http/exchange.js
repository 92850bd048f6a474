// A request-response exchange on a client socket. It parses the response. When both messages are complete,
// the socket is released to the agent or closed.
const { connResetException } = require('internal/errors');
const { exchangeDetail, kMeasure } = require('internal/http/common');
const { IncomingMessage, addBody, endMessage, kHeadersCount } = require('internal/http/incoming');
const { corkSocket, emitDrain } = require('internal/http/outgoing');
const { KEEP_ALIVE, NORMAL, NO_BODY, Parser, UPGRADE, UPGRADED } = require('internal/http/parser');
const observers = require('internal/async_state');

// The record of the request in internal/async_context, if operations are tracked.
const kRecord = Symbol('record');

function emitRequestTimeout() { this._httpMessage?.emit('timeout'); }
function emitResponseTimeout() { this._httpMessage?.res?.emit('timeout'); }

// req.timeoutCb is the listener of 'timeout' of its socket.
function listenSocketTimeout(req) {
  if (req.timeoutCb) return;
  req.timeoutCb = emitRequestTimeout;
  const listen = (socket) => socket.once('timeout', emitRequestTimeout);
  if (req.socket) listen(req.socket);
  else req.on('socket', listen);
}

// The listeners of a socket. Those of the first table are removed after the response has been read, the others
// when the socket is released.
const DATA_LISTENERS = {
  data(data) { this._exchange.onData(data); },
  end() { this._exchange.onEnd(); },
  drain() { if (this._httpMessage) emitDrain(this._httpMessage); },
};
const SOCKET_LISTENERS = {
  error(err) { this._exchange.onError(err); },
  close() { this._exchange.onClose(); },
};
const RESPONSE_LISTENERS = { timeout: emitResponseTimeout };

function addListeners(emitter, listeners) { for (const event in listeners) emitter.on(event, listeners[event]); }
function removeListeners(emitter, listeners) { for (const event in listeners) emitter.off(event, listeners[event]); }

// After 101 no further response follows; after the other 1xx responses one does.
function isInformational(status) { return status >= 100 && status < 200 && status !== 101; }

// The properties of the argument of 'information'.
const INFORMATION_PROPERTIES =
  ['statusCode', 'statusMessage', 'httpVersion', 'httpVersionMajor', 'httpVersionMinor', 'headers', 'rawHeaders'];

function close(req) {
  req._closed = true;
  req.emit('close');
}

function onResponseEnd() { this._exchange.onResponseEnd(this); }
function onRequestFinish() { this._exchange.onRequestFinish(); }

// After the listeners of 'end' have run.
function closeAndFree(req) {
  close(req);
  req.socket?.emit('free');
}

function emitError(req, error) {
  observers.publish?.('http.client.request.error', { request: req, error });
  req.emit('error', error);
}

class Exchange {
  constructor(req, socket) {
    this.req = req;
    this.socket = socket;
    // Null after the response has been read.
    this.parser = new Parser(this, false, req.maxHeaderSize, req[kRecord]);
    req.socket = socket;
    corkSocket(req);
    req.parser = socket.parser = this.parser;
    socket._exchange = this;
    socket._httpMessage = req;
    addListeners(socket, SOCKET_LISTENERS);
    addListeners(socket, DATA_LISTENERS);
  }

  stopReading() {
    const { parser, req, socket } = this;
    if (parser === null) return;
    this.parser = null;
    parser.close();
    removeListeners(socket, DATA_LISTENERS);
    if (req.parser === parser) req.parser = null;
    if (socket.parser === parser) socket.parser = null;
  }

  // The connection has ended, which ends a response without a length.
  finishReading() {
    this.parser?.finish();
    this.stopReading();
  }

  // Emits an error on the request. _hadError suppresses a later 'socket hang up'.
  emitError(err) {
    this.socket._hadError = true;
    emitError(this.req, err);
  }

  // The connection has ended without a response.
  emitHangUp() { if (!this.socket._hadError) this.emitError(connResetException('socket hang up')); }

  // --- the response

  onData(data) {
    this.parser.execute(data);
    const res = this.parser?.incoming;
    if (res?.complete && !res.upgrade && !isInformational(res.statusCode)) this.stopReading();
  }

  onInvalid(err) {
    // The connection has ended within the response.
    if (err.code === 'HPE_INVALID_EOF_STATE') return;
    this.stopReading();
    this.socket.destroy();
    this.emitError(err);
  }

  onPartial() {}

  onHead(flags, status, reason, fields, version) {
    const { parser, req, socket } = this;
    if (req.res) {
      // A second response to one request is a protocol error.
      parser.incoming = null;
      socket.destroy();
      return NORMAL;
    }
    const res = parser.incoming = req.res = new IncomingMessage(socket);
    res._version = version;
    res._fields = fields;
    if (req.joinDuplicateHeaders) res.joinDuplicateHeaders = true;
    res.statusCode = status;
    res.statusMessage = reason;
    res.upgrade = req.method === 'CONNECT' || (flags & UPGRADE) !== 0;
    if (req.maxHeadersCount > 0) res[kHeadersCount] = 2 * req.maxHeadersCount;
    if (res.upgrade) return UPGRADED;
    if (isInformational(status)) {
      this.emitInformation(res);
      return NO_BODY;
    }
    if ((flags & KEEP_ALIVE) === 0 && !req.upgradeOrConnect) req.shouldKeepAlive = false;
    res.req = req;
    observers.publish?.('http.client.response.finish', { request: req, response: res });
    if (observers.measure !== undefined) {
      req[kMeasure]?.(() => exchangeDetail(
        { method: req.method, headers: req.getHeaders() }, `${req.protocol}//${req.getHeader('host') ?? req.host}${req.path}`, res, res.headers));
    }
    addListeners(socket, RESPONSE_LISTENERS);
    res._exchange = req._exchange = this;
    res.on('end', onResponseEnd);
    req.on('finish', onRequestFinish);
    // Without a listener the response is discarded.
    if (req.aborted || !req.emit('response', res)) res._dump();
    if (status === 304 && req.method !== 'HEAD') res.complete = true;
    return status === 304 || req.method === 'HEAD' ? NO_BODY : NORMAL;
  }

  emitInformation(res) {
    const { req } = this;
    req.res = null;
    if (res.statusCode === 100) req.emit('continue');
    req.emit('information', Object.fromEntries(INFORMATION_PROPERTIES.map((name) => [name, res[name]])));
  }

  onBody(part) {
    const res = this.parser?.incoming;
    if (res && !res._dumped && !addBody(res, part, this.socket.readableHighWaterMark ?? 0)) this.socket.pause();
  }

  onComplete(trailers) {
    const { parser, socket } = this;
    const res = parser?.incoming;
    if (res) endMessage(res, trailers);
    if (!socket._readableState?.flowing && socket.readable) socket.resume();
  }

  // Passes the socket to the listener of 'upgrade' or 'connect', if there is one.
  onUpgraded(rest) {
    const { req, socket } = this;
    const res = this.parser?.incoming;
    if (!res?.upgrade) return;
    const event = req.method === 'CONNECT' ? 'connect' : 'upgrade';
    this.stopReading();
    if (req.timeoutCb) socket.off('timeout', emitRequestTimeout);
    if (req.listenerCount(event) === 0) {
      req.destroy();
      return;
    }
    req.upgradeOrConnect = true;
    socket.emit('agentRemove');
    removeListeners(socket, SOCKET_LISTENERS);
    Object.assign(socket, { _httpMessage: null, readableFlowing: null });
    req.emit(event, res, socket, rest);
    req.destroyed = true;
    close(req);
  }

  // --- the end

  onResponseEnd(res) {
    const { req, socket } = this;
    if (req.timeoutCb) socket.off('timeout', emitRequestTimeout);
    req._ended = true;
    if (req.shouldKeepAlive) {
      if (req.writableFinished && !res.aborted) this.releaseSocket();
    } else if (socket.writable) {
      // A socket of createConnection may not have destroySoon().
      const end = typeof socket.destroySoon === 'function' ? 'destroySoon' : 'end';
      socket[end]();
    }
  }

  onRequestFinish() { if (this.req._ended && this.req.shouldKeepAlive) this.releaseSocket(); }

  // Releases the socket to the agent, in the next tick.
  releaseSocket() {
    const { req, socket } = this;
    if (req.timeoutCb) {
      req.timeoutCb = null;
      socket.setTimeout(0, emitRequestTimeout);
    }
    removeListeners(socket, RESPONSE_LISTENERS);
    removeListeners(socket, SOCKET_LISTENERS);
    this.stopReading();
    process.nextTick(closeAndFree, req);
    req.destroyed = true;
    // Destroying the response must not destroy the socket.
    if (req.res) req.res.socket = null;
  }

  onEnd() {
    if (!this.req.res) this.emitHangUp();
    this.finishReading();
    this.socket.end();
  }

  onError(err) {
    this.emitError(err);
    this.finishReading();
    this.socket.destroy();
  }

  onClose() {
    const { req, socket } = this;
    // Parses what is still buffered in the socket.
    socket.read();
    req.destroyed = true;
    const { res } = req;
    if (!res) this.emitHangUp();
    else if (!res.complete) res.destroy(connResetException('aborted'));
    close(req);
    if (res && !res.aborted && res.readable) res.push(null);
    req.outputData.length = 0;
    this.finishReading();
  }
}

module.exports = { Exchange, emitError, kRecord, listenSocketTimeout };
