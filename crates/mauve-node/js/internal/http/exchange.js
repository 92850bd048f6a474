// A request-response exchange on a client socket. It parses the response. When both messages are complete,
// the socket is released to the agent or closed.

const { connResetException } = require('internal/errors');
const { emitDrainIfNeeded, exchangeDetail, kMeasure } = require('internal/http/common');
const { IncomingMessage, endMessage, kFields, kHeadersCount, kVersion } = require('internal/http/incoming');
const { KEEP_ALIVE, NORMAL, NO_BODY, Parser, UPGRADE, UPGRADED } = require('internal/http/parser');
const observers = require('internal/async_state');

// The record of the request in internal/async_context, if operations are tracked.
const kRecord = Symbol('record');

function emitRequestTimeout() {
  this._httpMessage?.emit('timeout');
}

function emitResponseTimeout() {
  this._httpMessage?.res?.emit('timeout');
}

// req.timeoutCb is the listener of 'timeout' of its socket.
function listenSocketTimeout(req) {
  if (req.timeoutCb) return;
  req.timeoutCb = emitRequestTimeout;
  const listen = (socket) => socket.once('timeout', emitRequestTimeout);
  if (req.socket) listen(req.socket);
  else req.on('socket', listen);
}

function addListeners(emitter, listeners) {
  for (const event in listeners) emitter.on(event, listeners[event]);
}

function removeListeners(emitter, listeners) {
  for (const event in listeners) emitter.off(event, listeners[event]);
}

// After 101 no further response follows; after the other 1xx responses one does.
function isInformational(status) {
  return status >= 100 && status < 200 && status !== 101;
}

// The properties of the argument of 'information'.
const INFORMATION_PROPERTIES = [
  'statusCode', 'statusMessage', 'httpVersion', 'httpVersionMajor', 'httpVersionMinor', 'headers',
  'rawHeaders',
];

function close(req) {
  req._closed = true;
  req.emit('close');
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
    this.parser = new Parser(this, false, req.maxHeaderSize);
    // A socket that is used again has the asynchronous context of its first request.
    if (req[kRecord]) this.parser.onEvent = observers.tracker.wrapRepeated(req[kRecord], this.parser.onEvent);
    // Removed after the response has been read.
    this.dataListeners = { data: (data) => this.onData(data), end: () => this.onEnd() };
    // Removed when the socket is released.
    this.socketListeners = {
      error: (err) => this.onError(err),
      close: () => this.onClose(),
      drain: () => emitDrainIfNeeded(socket),
    };
    req.socket = socket;
    req.parser = socket.parser = this.parser;
    socket._httpMessage = req;
    addListeners(socket, this.socketListeners);
    addListeners(socket, this.dataListeners);
  }

  stopReading() {
    const { parser, req, socket } = this;
    if (parser === null) return;
    this.parser = null;
    parser.close();
    removeListeners(socket, this.dataListeners);
    for (const holder of [req, socket]) if (holder.parser === parser) holder.parser = null;
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
  emitHangUp() {
    if (!this.socket._hadError) this.emitError(connResetException('socket hang up'));
  }

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
    Object.assign(res, {
      [kVersion]: version,
      [kFields]: fields,
      joinDuplicateHeaders: req.joinDuplicateHeaders,
      statusCode: status,
      statusMessage: reason,
      upgrade: req.method === 'CONNECT' || (flags & UPGRADE) !== 0,
    });
    if (req.maxHeadersCount > 0) res[kHeadersCount] = 2 * req.maxHeadersCount;
    if (res.upgrade) return UPGRADED;
    if (isInformational(status)) {
      this.emitInformation(res);
      return NO_BODY;
    }
    if ((flags & KEEP_ALIVE) === 0 && !req.upgradeOrConnect) req.shouldKeepAlive = false;
    res.req = req;
    observers.publish?.('http.client.response.finish', { request: req, response: res });
    req[kMeasure]?.(() => exchangeDetail(
      { method: req.method, headers: req.getHeaders() }, `${req.protocol}//${req.host}${req.path}`, res, res.headers));
    socket.on('timeout', emitResponseTimeout);
    res.on('end', () => this.onResponseEnd(res));
    req.on('finish', () => this.onRequestFinish());
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
    if (res && !res._dumped && !res.push(part)) this.socket.pause();
  }

  onComplete(trailers) {
    const { parser, socket } = this;
    const res = parser?.incoming;
    if (res) endMessage(res, trailers);
    if (socket.readable) socket.resume();
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
    removeListeners(socket, this.socketListeners);
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

  onRequestFinish() {
    if (this.req._ended && this.req.shouldKeepAlive) this.releaseSocket();
  }

  // Releases the socket to the agent, in the next tick, after the listeners of 'end' have run.
  releaseSocket() {
    const { req, socket } = this;
    if (req.timeoutCb) {
      req.timeoutCb = null;
      socket.setTimeout(0, emitRequestTimeout);
    }
    socket.off('timeout', emitResponseTimeout);
    removeListeners(socket, this.socketListeners);
    this.stopReading();
    process.nextTick(() => {
      close(req);
      req.socket?.emit('free');
    });
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
    if (req.outputData) req.outputData.length = 0;
    this.finishReading();
  }
}

module.exports = { Exchange, emitError, kRecord, listenSocketTimeout };
