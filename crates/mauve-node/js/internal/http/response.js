// http.ServerResponse: the response to one request.
const { codes } = require('internal/errors');
const validate = require('internal/validators');
const { STATUS_CODES, hasInvalidHeaderChar, keepLayouts, kHeaders, kState, state: bits } = require('internal/http/common');
const { DEFAULT_HIGH_WATER_MARK, OutgoingMessage, corkSocket, flush, transmit } = require('internal/http/outgoing');
const { CHUNKED_BY_DEFAULT, CLOSED, DESTROYED, EXPECTS_CONTINUE, HAS_BODY, KEEP_ALIVE, QUEUED, SEND_DATE } = bits;

function ServerResponse(request, settings) {
  this.req = request;
  const isDefault = settings?.highWaterMark === DEFAULT_HIGH_WATER_MARK && !settings.rejectNonStandardBodyWrites;
  if (!isDefault) OutgoingMessage.call(this, settings);
  if (request.method === 'HEAD') this[kState] &= ~HAS_BODY;
  if (request._version === 11) return;
  const { httpVersionMajor: major, httpVersionMinor: minor } = request;
  const isOld = major < 1 || minor < 1;
  if (!isOld) return;
  // HTTP/1.0 clients get chunked encoding only with a TE header, and no keep-alive.
  this[kState] &= ~KEEP_ALIVE;
  if (!/(?:^|\W)chunked(?:$|\W)/i.test(request.headers.te)) this[kState] &= ~CHUNKED_BY_DEFAULT;
}
Object.setPrototypeOf(ServerResponse.prototype, OutgoingMessage.prototype);
Object.setPrototypeOf(ServerResponse, OutgoingMessage);

// Emits 'close' once.
function emitClose(response) {
  if ((response[kState] & CLOSED) !== 0) return;
  response[kState] |= CLOSED | DESTROYED;
  if (response._eventsCount > 0) response.emit('close');
}

function onSocketClose() { if (this._httpMessage) emitClose(this._httpMessage); }

// Writes an informational (1xx) response.
function writeInformational(response, status, lines, cb) {
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', ''].join('\r\n');
  transmit(response, head, 'latin1', cb);
}

// `<target>; name=value; name="value"`.
const LINK = /^<[^>]*>(?:\s*;\s*[^;"\s=]+(?:=(?:"[^;"\s]*"|[^;"\s]*))?)*$/;

// Headers passed to writeHead() replace those of setHeader().
function replaceHeaders(response, headers) {
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
  headers.forEach((name, index) => { if (name && isName(name, index)) response.appendHeader(name, headers[index + 1]); });
}

const KNOWN_LINES = [];

function statusLine(code, phrase) { return `HTTP/1.1 ${code} ${phrase}\r\n`; }

function writeHead(status, reason, headers) {
  if (this._header) throw new codes.ERR_HTTP_HEADERS_SENT('write');
  const code = status | 0;
  if (code < 100 || code > 999) throw new codes.ERR_HTTP_INVALID_STATUS_CODE(status);
  const isReason = typeof reason === 'string';
  let fields = isReason ? headers : headers ?? reason;
  const phrase = isReason ? reason : this.statusMessage || STATUS_CODES[code] || 'unknown';
  if (this.statusCode !== code) this.statusCode = code;
  this.statusMessage = phrase;
  if (this[kHeaders] !== null) {
    replaceHeaders(this, fields);
    fields = this[kHeaders];
  }
  const isKnown = phrase === STATUS_CODES[code];
  if (!isKnown && hasInvalidHeaderChar(phrase)) throw new codes.ERR_INVALID_CHAR('statusMessage');
  if (code < 200 || code === 204 || code === 304) this[kState] &= ~HAS_BODY;
  // A client that still waits for 100 may or may not send its body, so the next bytes would be ambiguous.
  if ((this[kState] & EXPECTS_CONTINUE) !== 0) this[kState] &= ~KEEP_ALIVE;
  this._storeHeader(isKnown ? KNOWN_LINES[code] ??= statusLine(code, phrase) : statusLine(code, phrase), fields);
  return this;
}

Object.assign(ServerResponse.prototype, {
  _eventsCount: 0,
  statusCode: 200,
  statusMessage: undefined,
  [kState]: OutgoingMessage.prototype[kState] | SEND_DATE,

  // A server Connection emits 'close' on its responses itself; other sockets need a listener.
  assignSocket(socket) {
    if (socket._httpMessage) throw new codes.ERR_HTTP_SOCKET_ASSIGNED();
    if (!socket._consumer) socket.on('close', onSocketClose);
    this.socket = socket;
    socket._httpMessage = this;
    corkSocket(this);
    if (this._eventsCount > 0) this.emit('socket', socket);
    if ((this[kState] & QUEUED) !== 0) flush(this);
  },

  detachSocket(socket) {
    if (!socket._consumer) socket.off('close', onSocketClose);
    this.socket = socket._httpMessage = null;
  },

  writeContinue(cb) {
    writeInformational(this, 100, [], cb);
    this[kState] &= ~EXPECTS_CONTINUE;
  },

  writeProcessing(cb) { writeInformational(this, 102, [], cb); },

  writeEarlyHints(hints, cb) {
    validate.validateObject(hints, 'hints');
    const { link, ...others } = hints;
    const links = [link ?? []].flat();
    if (links.length === 0) return;
    for (const value of links) {
      if (typeof value === 'string' && LINK.test(value)) continue;
      const reason = 'must be an array or string of format "</styles.css>; rel=preload; as=style"';
      throw new codes.ERR_INVALID_ARG_VALUE('hints', link, reason);
    }
    const lines = Object.keys(others).map((name) => `${name}: ${others[name]}`);
    if (cb !== undefined) validate.validateFunction(cb, 'callback');
    writeInformational(this, 103, [`Link: ${links.join(', ')}`, ...lines], cb);
  },

  _implicitHeader() {
    // Programs may replace writeHead, so it is called as a method.
    this.writeHead(this.statusCode);
  },

  writeHead,
  writeHeader: writeHead,
});

const layouts = [
  ['statusMessage', kState, '_header', '_contentLength'], ['_contentLength', 'statusMessage', kState, '_header'],
].map((names) => keepLayouts(ServerResponse.prototype, 'req', '_connection', 'socket', ...names));

module.exports = { ServerResponse, layouts, emitClose };
