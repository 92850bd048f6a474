// The header methods of OutgoingMessage, and the serialization of the message head.

const { codes } = require('internal/errors');
const {
  hasInvalidHeaderChar, utcDate, kHeaders, kUniqueHeaders, validateHeaderName, validateHeaderValue,
} = require('internal/http/common');

const native = binding('http');
const {
  CONNECTION, CLOSE, TRANSFER_ENCODING, CHUNKED, CONTENT_LENGTH, DATE, EXPECT, TRAILER, KEEP_ALIVE,
} = native.found;

// Headers that are added automatically unless removeHeader() was called; kRemovedHeaders has those names.
const AUTOMATIC = new Set(['connection', 'content-length', 'transfer-encoding']);
const kRemovedHeaders = Symbol('removedHeaders');

// Throws for an invalid field, see serializeFields of the binding.
function throwInvalid([reason, name, value]) {
  if (reason === -1) throw new codes.ERR_INVALID_HTTP_TOKEN('Header name', name);
  if (reason === -2) throw new codes.ERR_HTTP_INVALID_HEADER_VALUE(value, name);
  throw new codes.ERR_INVALID_CHAR('header content', name);
}

function validateName(name) {
  if (typeof name !== 'string') throw new codes.ERR_INVALID_ARG_TYPE('name', 'string', name);
  return name.toLowerCase();
}

// Returns Content-Length or Transfer-Encoding, unless the message has no body or the connection delimits it.
function bodyFraming(message, found) {
  const isRemoved = (name) => message[kRemovedHeaders]?.has(name);
  if (!message._hasBody) {
    message.chunkedEncoding = false;
  } else if (!message.useChunkedEncodingByDefault) {
    message._last = true;
  } else if (!(found & TRAILER) && !isRemoved('content-length') && typeof message._contentLength === 'number') {
    return `Content-Length: ${message._contentLength}\r\n`;
  } else if (!isRemoved('transfer-encoding')) {
    message.chunkedEncoding = true;
    return 'Transfer-Encoding: chunked\r\n';
  } else {
    // The end of the connection delimits the body.
    message._last = true;
  }
  return '';
}

// Returns Connection and Keep-Alive.
function connectionFields(message, found) {
  const keepAlive = message.shouldKeepAlive &&
    ((found & CONTENT_LENGTH) || message.useChunkedEncodingByDefault || message.agent);
  if (!keepAlive) message._last = true;
  if (!keepAlive || message.maxRequestsOnConnectionReached) return 'Connection: close\r\n';
  const server = message._connection?.server;
  const timeout = server === undefined ? message._keepAliveTimeout : server.keepAliveTimeout;
  if (!timeout || !message._defaultKeepAlive) return 'Connection: keep-alive\r\n';
  const seconds = Math.floor(timeout / 1000);
  const limit = server === undefined ? message._maxRequestsPerSocket : server.maxRequestsPerSocket;
  const max = ~~limit > 0 ? `, max=${limit}` : '';
  return `Connection: keep-alive\r\nKeep-Alive: timeout=${seconds}${max}\r\n`;
}

// Sets the properties of the message that its own fields determine.
function applyFields(message, found, length) {
  if (found & CONNECTION) {
    if (found & CLOSE) message._last = true;
    else message.shouldKeepAlive = true;
  }
  if (found & CHUNKED) message.chunkedEncoding = true;
  if (found & CONTENT_LENGTH) message._contentLength = +length;
  if (found & KEEP_ALIVE) message._defaultKeepAlive = false;
  const removed = message[kRemovedHeaders];
  if (removed === null) return;
  if (found & CONNECTION) removed.delete('connection');
  if (found & CONTENT_LENGTH) removed.delete('content-length');
  if (found & TRANSFER_ENCODING) removed.delete('transfer-encoding');
}

// Defines the header methods on a prototype. send(message, data) sends data after the head.
function defineHeaderMethods(prototype, send) {
  prototype[kRemovedHeaders] = null;

  prototype.setHeader = function setHeader(name, value) {
    if (this._header) throw new codes.ERR_HTTP_HEADERS_SENT('set');
    validateHeaderName(name);
    validateHeaderValue(name, value);
    (this[kHeaders] ??= { __proto__: null })[name.toLowerCase()] = [name, value];
    return this;
  };

  prototype.setHeaders = function setHeaders(headers) {
    if (this._header) throw new codes.ERR_HTTP_HEADERS_SENT('set');
    if (!headers || Array.isArray(headers) || typeof headers.keys !== 'function' ||
        typeof headers.get !== 'function') {
      throw new codes.ERR_INVALID_ARG_TYPE('headers', ['Headers', 'Map'], headers);
    }
    for (const name of headers.keys()) this.setHeader(name, headers.get(name));
    return this;
  };

  prototype.appendHeader = function appendHeader(name, value) {
    if (this._header) throw new codes.ERR_HTTP_HEADERS_SENT('append');
    validateHeaderName(name);
    validateHeaderValue(name, value);
    const headers = this[kHeaders] ??= { __proto__: null };
    const existing = headers[name.toLowerCase()];
    if (existing === undefined) headers[name.toLowerCase()] = [name, value];
    else existing[1] = [].concat(existing[1], value);
    return this;
  };

  prototype.getHeader = function getHeader(name) {
    const key = validateName(name);
    return this[kHeaders]?.[key]?.[1];
  };

  prototype.hasHeader = function hasHeader(name) {
    const key = validateName(name);
    return this[kHeaders] !== null && key in this[kHeaders];
  };

  prototype.getHeaderNames = function getHeaderNames() {
    return this[kHeaders] === null ? [] : Object.keys(this[kHeaders]);
  };

  prototype.getRawHeaderNames = function getRawHeaderNames() {
    return Object.values(this[kHeaders] ?? {}).map(([name]) => name);
  };

  prototype.getHeaders = function getHeaders() {
    const headers = { __proto__: null };
    for (const name in this[kHeaders]) headers[name] = this[kHeaders][name][1];
    return headers;
  };

  prototype.removeHeader = function removeHeader(name) {
    const key = validateName(name);
    if (this._header) throw new codes.ERR_HTTP_HEADERS_SENT('remove');
    if (key === 'date') this.sendDate = false;
    else if (AUTOMATIC.has(key)) (this[kRemovedHeaders] ??= new Set()).add(key);
    if (this[kHeaders] !== null) delete this[kHeaders][key];
  };

  prototype.flushHeaders = function flushHeaders() {
    if (!this._header) this._implicitHeader();
    send(this, '');
  };

  // Builds the head: the given fields and the automatic ones.
  prototype._storeHeader = function _storeHeader(firstLine, headers) {
    const isList = Array.isArray(headers);
    if (isList && headers.length % 2 !== 0 && !Array.isArray(headers[0])) {
      throw new codes.ERR_INVALID_ARG_VALUE('headers', headers);
    }
    const unique = this[kUniqueHeaders] === null ? undefined : [...this[kUniqueHeaders]];
    const fields = native.serializeFields(firstLine, headers, headers === this[kHeaders], unique,
      Boolean(this._contentLength));
    let text = fields[0];
    if (typeof text === 'number') throwInvalid(fields);
    const found = fields[1];
    if (found !== 0) applyFields(this, found, fields[2]);
    if (this.sendDate && (found & DATE) === 0) text += `Date: ${utcDate()}\r\n`;
    // Responses with these status codes have no body.
    if (this.chunkedEncoding && (this.statusCode === 204 || this.statusCode === 304)) {
      this.chunkedEncoding = false;
      this.shouldKeepAlive = false;
    }
    if (this[kRemovedHeaders]?.has('connection')) this._last = !this.shouldKeepAlive;
    else if ((found & CONNECTION) === 0) text += connectionFields(this, found);
    if ((found & (CONTENT_LENGTH | TRANSFER_ENCODING)) === 0) text += bodyFraming(this, found);
    if (this.chunkedEncoding !== true && (found & TRAILER) !== 0) throw new codes.ERR_HTTP_TRAILER_INVALID();
    this._header = `${text}\r\n`;
    this._headerSent = false;
    // With an Expect header the head is sent before the body.
    if (found & EXPECT) send(this, '');
  };

  prototype.addTrailers = function addTrailers(headers) {
    this._trailer = '';
    const isArray = Array.isArray(headers);
    const entries = isArray ? headers : Object.entries(headers);
    for (const [name, value] of entries) {
      validateHeaderName(name, 'Trailer name');
      const isJoined = Array.isArray(value) && this[kUniqueHeaders]?.has(name.toLowerCase());
      for (const each of isJoined ? [value.join('; ')] : [].concat(value)) {
        if (hasInvalidHeaderChar(each)) throw new codes.ERR_INVALID_CHAR('trailer content', name);
        this._trailer += `${name}: ${each}\r\n`;
      }
    }
  };

  prototype._implicitHeader = function _implicitHeader() {
    throw new codes.ERR_METHOD_NOT_IMPLEMENTED('_implicitHeader()');
  };
}

module.exports = { defineHeaderMethods, kRemovedHeaders };
