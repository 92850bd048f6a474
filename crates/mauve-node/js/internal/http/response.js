// http.ServerResponse: the answer to one request.

const { codes } = require('internal/errors');
const validate = require('internal/validators');
const { STATUS_CODES, breaksLine, kFields } = require('internal/http/common');
const { OutgoingMessage, flush, transmit } = require('internal/http/outgoing');

function ServerResponse(request, settings) {
  OutgoingMessage.call(this, settings);
  this.req = request;
  const { httpVersionMajor: major, httpVersionMinor: minor, method } = request;
  if (method === 'HEAD') this._hasBody = false;
  const isOld = major < 1 || minor < 1;
  if (!isOld) return;
  // Old clients get chunks only if they ask for them, and one answer to a connection.
  this.useChunkedEncodingByDefault = /(?:^|\W)chunked(?:$|\W)/i.test(request.headers.te);
  this.shouldKeepAlive = false;
}
Object.setPrototypeOf(ServerResponse.prototype, OutgoingMessage.prototype);
Object.setPrototypeOf(ServerResponse, OutgoingMessage);

// The client said that it waits for a word before it sends a body: whether it does so still.
const kAwaited = Symbol('awaited');

// 'close' comes once.
function emitClose(response) {
  if (response._closed) return;
  response._closed = response.destroyed = true;
  if (response._eventsCount > 0) response.emit('close');
}

function onSocketClose() {
  if (this._httpMessage) emitClose(this._httpMessage);
}

// Writes a head that comes before the one of the answer.
function inform(response, status, lines, cb) {
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', ''].join('\r\n');
  transmit(response, head, 'latin1', cb);
}

const hasNoBody = (status) => status < 200 || status === 204 || status === 304;

// Headers given with the status take the place of those that were set before.
function override(response, headers) {
  if (!headers) return;
  if (!Array.isArray(headers)) {
    for (const [name, value] of Object.entries(headers)) {
      if (name) response.setHeader(name, value);
    }
    return;
  }
  if (headers.length % 2 === 1) throw new codes.ERR_INVALID_ARG_VALUE('headers', headers);
  const isName = (text, index) => index % 2 === 0;
  for (const name of headers.filter(isName)) response.removeHeader(name);
  headers.forEach((name, index) => {
    if (name && isName(name, index)) response.appendHeader(name, headers[index + 1]);
  });
}

function writeHead(status, reason, headers) {
  if (this._header) throw new codes.ERR_HTTP_HEADERS_SENT('write');
  const code = status | 0;
  if (code < 100 || code > 999) throw new codes.ERR_HTTP_INVALID_STATUS_CODE(status);
  const isReason = typeof reason === 'string';
  let given = isReason ? headers : headers ?? reason;
  const phrase = isReason ? reason : this.statusMessage || STATUS_CODES[code] || 'unknown';
  this.statusCode = code;
  this.statusMessage = phrase;
  if (this[kFields] !== null) {
    override(this, given);
    given = this[kFields];
  }
  if (breaksLine(phrase)) throw new codes.ERR_INVALID_CHAR('statusMessage');
  if (hasNoBody(code)) this._hasBody = false;
  // A client that still waits may send its body after this, or may not: nobody could tell what it
  // sends next.
  if (this[kAwaited]) this.shouldKeepAlive = false;
  this._storeHeader(`HTTP/1.1 ${code} ${phrase}\r\n`, given);
  return this;
}

Object.assign(ServerResponse.prototype, {
  statusCode: 200,
  statusMessage: undefined,
  sendDate: true,
  [kAwaited]: false,

  // A connection of a server tells its responses of its end itself; other sockets are listened to.
  assignSocket(socket) {
    if (socket._httpMessage) throw new codes.ERR_HTTP_SOCKET_ASSIGNED();
    if (!socket._feed) socket.on('close', onSocketClose);
    this.socket = socket;
    socket._httpMessage = this;
    if (this._eventsCount > 0) this.emit('socket', socket);
    flush(this);
  },

  detachSocket(socket) {
    if (!socket._feed) socket.off('close', onSocketClose);
    this.socket = socket._httpMessage = null;
  },

  writeContinue(cb) {
    inform(this, 100, [], cb);
    this[kAwaited] = false;
  },

  writeProcessing(cb) {
    inform(this, 102, [], cb);
  },

  writeEarlyHints(hints, cb) {
    validate.validateObject(hints, 'hints');
    const { link, ...others } = hints;
    const links = [link ?? []].flat();
    if (links.length === 0) return;
    const lines = Object.keys(others).map((name) => `${name}: ${others[name]}`);
    if (cb !== undefined) validate.validateFunction(cb, 'callback');
    inform(this, 103, [`Link: ${links.join(', ')}`, ...lines], cb);
  },

  _implicitHeader() {
    // Called by its name, for scripts put functions of their own in its place.
    this.writeHead(this.statusCode);
  },

  writeHead,
  writeHeader: writeHead,
});

module.exports = { ServerResponse, emitClose, kAwaited };
