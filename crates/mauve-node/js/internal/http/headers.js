// The header methods of OutgoingMessage, and the serialization of the message head.
const { codes } = require('internal/errors');
const {
  hasInvalidHeaderChar, kHeaders, kState, kUniqueHeaders, state, updateDate, validateHeaderName, validateHeaderValue,
} = require('internal/http/common');

const { buildHead, headerKey } = binding('http');

// Headers that are added automatically unless removeHeader() was called, and the bits for that.
const AUTOMATIC = {
  '__proto__': null,
  'connection': state.REMOVED_CONNECTION,
  'content-length': state.REMOVED_LENGTH,
  'transfer-encoding': state.REMOVED_ENCODING,
};

// Throws for an invalid field, see buildHead of the binding.
function throwInvalid([reason, name, value]) {
  if (reason === -1) throw new codes.ERR_INVALID_HTTP_TOKEN('Header name', name);
  if (reason === -4) throw new codes.ERR_HTTP_TRAILER_INVALID();
  if (reason === -2) throw new codes.ERR_HTTP_INVALID_HEADER_VALUE(value, name);
  throw new codes.ERR_INVALID_CHAR('header content', name);
}

// Throws for an invalid field. Returns the lower-case name. The binding does the same for most fields.
function checkedKey(name, value) {
  validateHeaderName(name);
  validateHeaderValue(name, value);
  return name.toLowerCase();
}

function validateName(name) {
  if (typeof name !== 'string') throw new codes.ERR_INVALID_ARG_TYPE('name', 'string', name);
  return name.toLowerCase();
}

// Defines the header methods on a prototype. send(message, data) sends data after the head.
function defineHeaderMethods(prototype, send) {
  prototype.setHeader = function setHeader(name, value) {
    if (this._header) throw new codes.ERR_HTTP_HEADERS_SENT('set');
    const key = headerKey(name, value) ?? checkedKey(name, value);
    (this[kHeaders] ??= { __proto__: null })[key] = [name, value];
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
    const key = checkedKey(name, value);
    const headers = this[kHeaders] ??= { __proto__: null };
    const existing = headers[key];
    if (existing === undefined) headers[key] = [name, value];
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

  prototype.getHeaderNames = function getHeaderNames() { return this[kHeaders] === null ? [] : Object.keys(this[kHeaders]); };

  prototype.getRawHeaderNames = function getRawHeaderNames() { return Object.values(this[kHeaders] ?? {}).map(([name]) => name); };

  prototype.getHeaders = function getHeaders() {
    const headers = { __proto__: null };
    for (const name in this[kHeaders]) headers[name] = this[kHeaders][name][1];
    return headers;
  };

  prototype.removeHeader = function removeHeader(name) {
    const key = validateName(name);
    if (this._header) throw new codes.ERR_HTTP_HEADERS_SENT('remove');
    if (key === 'date') this.sendDate = false;
    else this[kState] |= AUTOMATIC[key] ?? 0;
    if (this[kHeaders] !== null) delete this[kHeaders][key];
  };

  prototype.flushHeaders = function flushHeaders() {
    if (!this._header) this._implicitHeader();
    send(this, '');
  };

  // Builds the head: the given fields and the automatic ones.
  prototype._storeHeader = function _storeHeader(firstLine, headers) {
    const isList = Array.isArray(headers);
    if (isList && headers.length % 2 !== 0 && !Array.isArray(headers[0])) throw new codes.ERR_INVALID_ARG_VALUE('headers', headers);
    const unique = this[kUniqueHeaders] === null ? undefined : [...this[kUniqueHeaders]];
    if ((this[kState] & state.SEND_DATE) !== 0) updateDate();
    const server = this._connection?.server;
    const result = buildHead(this[kState], firstLine, headers, headers === this[kHeaders], unique, this.statusCode,
      this._contentLength, server?.keepAliveTimeout ?? this._keepAliveTimeout,
      server?.maxRequestsPerSocket ?? this._maxRequestsPerSocket);
    if (result[0] < 0) throwInvalid(result);
    this[kState] = result[0];
    this._header = result[1];
    if (result.length > 2) this._contentLength = result[2];
    // With an Expect header the head is sent before the body.
    if ((this[kState] & state.EXPECT) !== 0) send(this, '');
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

  prototype._implicitHeader = function _implicitHeader() { throw new codes.ERR_METHOD_NOT_IMPLEMENTED('_implicitHeader()'); };
}

module.exports = { defineHeaderMethods };
