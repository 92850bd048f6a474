// http.ServerResponse: the answer to one request.

const { codes } = require('internal/errors');
const { validateFunction, validateObject } = require('internal/validators');
const { STATUS_CODES, checkInvalidHeaderChar, kOutHeaders } = require('internal/http/common');
const { OutgoingMessage } = require('internal/http/outgoing');

function ServerResponse(req, options) {
  OutgoingMessage.call(this, options);
  if (req.method === 'HEAD') this._hasBody = false;
  this.req = req;
  // What is old gets no chunks.
  if (req.httpVersionMajor < 1 || req.httpVersionMinor < 1) {
    this.useChunkedEncodingByDefault = /(?:^|\W)chunked(?:$|\W)/i.test(req.headers.te);
    this.shouldKeepAlive = false;
  }
}
Object.setPrototypeOf(ServerResponse.prototype, OutgoingMessage.prototype);
Object.setPrototypeOf(ServerResponse, OutgoingMessage);

ServerResponse.prototype.statusCode = 200;
ServerResponse.prototype.statusMessage = undefined;
ServerResponse.prototype.sendDate = true;
ServerResponse.prototype._sent100 = false;
ServerResponse.prototype._expect_continue = false;

function onSocketClose() {
  const message = this._httpMessage;
  if (message) emitClose(message);
}

function emitClose(response) {
  if (response._closed) return;
  response.destroyed = true;
  response._closed = true;
  if (response._eventsCount > 0) response.emit('close');
}

ServerResponse.prototype.assignSocket = function assignSocket(socket) {
  if (socket._httpMessage) throw new codes.ERR_HTTP_SOCKET_ASSIGNED();
  // A connection of a server tells its responses itself.
  if (!socket._feed) socket.on('close', onSocketClose);
  socket._httpMessage = this;
  this.socket = socket;
  if (this._eventsCount > 0) this.emit('socket', socket);
  this._flush();
};

ServerResponse.prototype.detachSocket = function detachSocket(socket) {
  if (!socket._feed) socket.removeListener('close', onSocketClose);
  socket._httpMessage = null;
  this.socket = null;
};

ServerResponse.prototype.writeContinue = function writeContinue(cb) {
  this._writeRaw('HTTP/1.1 100 Continue\r\n\r\n', 'latin1', cb);
  this._sent100 = true;
};

ServerResponse.prototype.writeProcessing = function writeProcessing(cb) {
  this._writeRaw('HTTP/1.1 102 Processing\r\n\r\n', 'latin1', cb);
};

ServerResponse.prototype.writeEarlyHints = function writeEarlyHints(hints, cb) {
  validateObject(hints, 'hints');
  if (hints.link === null || hints.link === undefined) return;
  const links = [].concat(hints.link);
  if (links.length === 0) return;
  let head = `HTTP/1.1 103 Early Hints\r\nLink: ${links.join(', ')}\r\n`;
  for (const name of Object.keys(hints)) {
    if (name !== 'link') head += `${name}: ${hints[name]}\r\n`;
  }
  if (cb !== undefined) validateFunction(cb, 'callback');
  this._writeRaw(`${head}\r\n`, 'latin1', cb);
};

ServerResponse.prototype._implicitHeader = function _implicitHeader() {
  this.writeHead(this.statusCode);
};

ServerResponse.prototype.writeHead = function writeHead(statusCode, reason, headers) {
  if (this._header) throw new codes.ERR_HTTP_HEADERS_SENT('write');
  const given = statusCode;
  statusCode |= 0;
  if (statusCode < 100 || statusCode > 999) throw new codes.ERR_HTTP_INVALID_STATUS_CODE(given);
  if (typeof reason === 'string') {
    this.statusMessage = reason;
  } else {
    this.statusMessage ||= STATUS_CODES[statusCode] || 'unknown';
    headers ??= reason;
  }
  this.statusCode = statusCode;
  if (this[kOutHeaders] !== null) {
    takeHeaders(this, headers);
    headers = this[kOutHeaders];
  }
  if (checkInvalidHeaderChar(this.statusMessage)) throw new codes.ERR_INVALID_CHAR('statusMessage');
  if (statusCode === 204 || statusCode === 304 || (statusCode >= 100 && statusCode <= 199)) {
    this._hasBody = false;
  }
  // A client that still waits for a word may send a body after this, or may not.
  if (this._expect_continue && !this._sent100) this.shouldKeepAlive = false;
  this._storeHeader(`HTTP/1.1 ${statusCode} ${this.statusMessage}\r\n`, headers);
  return this;
};
ServerResponse.prototype.writeHeader = ServerResponse.prototype.writeHead;

// Headers given with the status take the place of those that were set before.
function takeHeaders(response, headers) {
  if (Array.isArray(headers)) {
    if (headers.length % 2 !== 0) throw new codes.ERR_INVALID_ARG_VALUE('headers', headers);
    for (let i = 0; i < headers.length; i += 2) response.removeHeader(headers[i]);
    for (let i = 0; i < headers.length; i += 2) {
      if (headers[i]) response.appendHeader(headers[i], headers[i + 1]);
    }
  } else if (headers) {
    for (const name of Object.keys(headers)) {
      if (name) response.setHeader(name, headers[name]);
    }
  }
}

module.exports = { ServerResponse, emitClose };
