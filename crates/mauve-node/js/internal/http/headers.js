// The header methods of OutgoingMessage, and the serialization of the message head.

const { codes } = require('internal/errors');
const {
  hasInvalidHeaderChar, updateDate, kHeaders, kUniqueHeaders, validateHeaderName, validateHeaderValue,
} = require('internal/http/common');

const { buildHead, headerKey } = binding('http');

// Headers that are added automatically unless removeHeader() was called, and the properties for that.
const AUTOMATIC = {
  '__proto__': null,
  'connection': '_removedConnection',
  'content-length': '_removedContLen',
  'transfer-encoding': '_removedTE',
};

// Throws for an invalid field, see buildHead of the binding.
function throwInvalid([reason, name, value]) {
  if (reason === -1) throw new codes.ERR_INVALID_HTTP_TOKEN('Header name', name);
  if (reason === -4) throw new codes.ERR_HTTP_TRAILER_INVALID();
  if (reason === -2) throw new codes.ERR_HTTP_INVALID_HEADER_VALUE(value, name);
  throw new codes.ERR_INVALID_CHAR('header content', name);
}

// Throws for an invalid field. Returns the lower-case name. The binding does the same for usual fields.
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
  for (const name in AUTOMATIC) prototype[AUTOMATIC[name]] = false;

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
    else if (AUTOMATIC[key] !== undefined) this[AUTOMATIC[key]] = true;
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
    if (this.sendDate) updateDate();
    const result = buildHead(this, firstLine, headers, headers === this[kHeaders], unique, this.sendDate);
    if (result !== undefined && result[0] < 0) throwInvalid(result);
    if (this._headerSent) this._headerSent = false;
    // With an Expect header the head is sent before the body.
    if (result !== undefined) send(this, '');
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

module.exports = { defineHeaderMethods };
