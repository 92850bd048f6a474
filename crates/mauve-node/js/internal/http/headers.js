// The header methods of OutgoingMessage, and the serialization of the message head.

const { Buffer } = require('buffer');
const { codes } = require('internal/errors');
const {
  hasInvalidHeaderChar, utcDate, kHeaders, kUniqueHeaders, validateHeaderName, validateHeaderValue,
} = require('internal/http/common');

// Headers that are added automatically unless removeHeader() was called; kRemovedHeaders has those names.
const AUTOMATIC = new Set(['connection', 'content-length', 'transfer-encoding']);
const kRemovedHeaders = Symbol('removedHeaders');

// Builds the text of the head and records which headers it has.
class HeadBuilder {
  constructor(message, firstLine) {
    this.message = message;
    this.text = firstLine;
    this.connection = false;
    this.contentLength = false;
    this.transferEncoding = false;
    this.date = false;
    this.expect = false;
    this.trailer = false;
  }

  add(name, value, validate) {
    if (validate) validateHeaderName(name);
    if (Array.isArray(value)) {
      const { message } = this;
      const key = name.toLowerCase();
      if ((value.length < 2 || key !== 'cookie') && !message[kUniqueHeaders]?.has(key)) {
        for (const each of value) this.line(name, each, validate);
        return;
      }
      value = value.join('; ');
    }
    this.line(name, value, validate);
  }

  line(name, value, validate) {
    if (validate) validateHeaderValue(name, value);
    // The head is encoded as UTF-8 together with the body. Node keeps the bytes of this header only.
    if (this.message._contentLength && name.length === 19 && name.toLowerCase() === 'content-disposition') {
      value = Buffer.from(value, 'latin1').toString();
    }
    this.text += `${name}: ${value}\r\n`;
    this.record(name, value);
  }

  record(name, value) {
    const { message } = this;
    if (name.length < 4 || name.length > 17) return;
    switch (name.toLowerCase()) {
      case 'connection':
        this.connection = true;
        message[kRemovedHeaders]?.delete('connection');
        if (/(?:^|\W)close(?:$|\W)/i.test(value)) message._last = true;
        else message.shouldKeepAlive = true;
        break;
      case 'transfer-encoding':
        this.transferEncoding = true;
        message[kRemovedHeaders]?.delete('transfer-encoding');
        if (/(?:^|\W)chunked(?:$|\W)/i.test(value)) message.chunkedEncoding = true;
        break;
      case 'content-length':
        this.contentLength = true;
        message._contentLength = +value;
        message[kRemovedHeaders]?.delete('content-length');
        break;
      case 'date': this.date = true; break;
      case 'expect': this.expect = true; break;
      case 'trailer': this.trailer = true; break;
      case 'keep-alive': message._defaultKeepAlive = false; break;
      default:
    }
  }
}

function validateName(name) {
  if (typeof name !== 'string') throw new codes.ERR_INVALID_ARG_TYPE('name', 'string', name);
  return name.toLowerCase();
}

// Adds Content-Length or Transfer-Encoding, unless the message has no body or the connection delimits it.
function addBodyFraming(message, head) {
  const isRemoved = (name) => message[kRemovedHeaders]?.has(name);
  if (!message._hasBody) {
    message.chunkedEncoding = false;
  } else if (!message.useChunkedEncodingByDefault) {
    message._last = true;
  } else if (!head.trailer && !isRemoved('content-length') && typeof message._contentLength === 'number') {
    head.text += `Content-Length: ${message._contentLength}\r\n`;
  } else if (!isRemoved('transfer-encoding')) {
    head.text += 'Transfer-Encoding: chunked\r\n';
    message.chunkedEncoding = true;
  } else {
    // The end of the connection delimits the body.
    message._last = true;
  }
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

  prototype._storeHeader = function _storeHeader(firstLine, headers) {
    const head = new HeadBuilder(this, firstLine);
    if (headers === this[kHeaders]) {
      for (const key in headers) head.add(headers[key][0], headers[key][1], false);
    } else if (Array.isArray(headers)) {
      if (headers.length > 0 && Array.isArray(headers[0])) {
        for (const [name, value] of headers) head.add(name, value, true);
      } else {
        if (headers.length % 2 !== 0) throw new codes.ERR_INVALID_ARG_VALUE('headers', headers);
        for (let i = 0; i < headers.length; i += 2) head.add(headers[i], headers[i + 1], true);
      }
    } else if (headers) {
      for (const name of Object.keys(headers)) head.add(name, headers[name], true);
    }
    this.finishHead(head);
  };

  // Adds the automatic headers.
  prototype.finishHead = function finishHead(head) {
    if (this.sendDate && !head.date) head.text += `Date: ${utcDate()}\r\n`;
    // Responses with these status codes have no body.
    if (this.chunkedEncoding && (this.statusCode === 204 || this.statusCode === 304)) {
      this.chunkedEncoding = false;
      this.shouldKeepAlive = false;
    }
    if (this[kRemovedHeaders]?.has('connection')) {
      this._last = !this.shouldKeepAlive;
    } else if (!head.connection) {
      this.addConnection(head);
    }
    if (!head.contentLength && !head.transferEncoding) addBodyFraming(this, head);
    if (this.chunkedEncoding !== true && head.trailer) throw new codes.ERR_HTTP_TRAILER_INVALID();
    this._header = `${head.text}\r\n`;
    this._headerSent = false;
    // With an Expect header the head is sent before the body.
    if (head.expect) send(this, '');
  };

  prototype.addConnection = function addConnection(head) {
    const keepAlive = this.shouldKeepAlive &&
      (head.contentLength || this.useChunkedEncodingByDefault || this.agent);
    if (keepAlive && this.maxRequestsOnConnectionReached) {
      head.text += 'Connection: close\r\n';
    } else if (keepAlive) {
      head.text += 'Connection: keep-alive\r\n';
      if (this._keepAliveTimeout && this._defaultKeepAlive) {
        const seconds = Math.floor(this._keepAliveTimeout / 1000);
        const max = ~~this._maxRequestsPerSocket > 0 ? `, max=${this._maxRequestsPerSocket}` : '';
        head.text += `Keep-Alive: timeout=${seconds}${max}\r\n`;
      }
    } else {
      this._last = true;
      head.text += 'Connection: close\r\n';
    }
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
