// Helpers for HTTP clients and servers: status codes, validation of headers, dates.

const { codes } = require('internal/errors');
const { setTimeout } = require('timers');

const native = binding('http');

function isToken(text) {
  return typeof text === 'string' && native.isToken(text);
}

// Names that are known to be valid. Programs use few different names.
const validNames = new Set();
const VALID_NAMES_LIMIT = 1000;

function validateHeaderName(name, label) {
  if (validNames.has(name)) return;
  if (!isToken(name)) throw new codes.ERR_INVALID_HTTP_TOKEN(label || 'Header name', name);
  if (validNames.size < VALID_NAMES_LIMIT) validNames.add(name);
}

const INVALID_CHARS = /[^\t\x20-\x7e\x80-\xff]/;

// Whether a header value or a reason phrase has characters that are not allowed.
function hasInvalidHeaderChar(text) {
  return INVALID_CHARS.test(text);
}

function validateHeaderValue(name, value) {
  if (value === undefined) throw new codes.ERR_HTTP_INVALID_HEADER_VALUE(value, name);
  if (hasInvalidHeaderChar(value)) throw new codes.ERR_INVALID_CHAR('header content', name);
}

let date;

// The value of the Date header. It is kept until the second ends.
function utcDate() {
  if (date === undefined) {
    const now = new Date();
    date = now.toUTCString();
    setTimeout(() => { date = undefined; }, 1000 - now.getMilliseconds()).unref();
  }
  return date;
}

// True if write() has returned false and 'drain' is due.
const kNeedDrain = Symbol('needDrain');
// The headers of a message: by lower-case name, [name, value]; null if there are none.
const kHeaders = Symbol('headers');
// Names of headers whose values are joined into one line.
const kUniqueHeaders = Symbol('uniqueHeaders');

// Converts the option `uniqueHeaders` to a set of lower-case names.
function parseUniqueHeadersOption(names) {
  return names ? new Set(names.flat().map((name) => name.toLowerCase())) : null;
}

// Emits 'drain' on the message that is written to the socket.
function emitDrainIfNeeded(socket) {
  const message = socket._httpMessage;
  if (!message?.[kNeedDrain] || message.finished) return;
  message[kNeedDrain] = false;
  message.emit('drain');
}

// The function that ends the measurement of an exchange for perf_hooks.
const kMeasure = Symbol('measure');

// The detail of a performance entry.
function exchangeDetail({ method, headers }, url, { statusCode, statusMessage }, responseHeaders) {
  return { req: { method, url, headers }, res: { statusCode, statusMessage, headers: responseHeaders } };
}

module.exports = {
  METHODS: native.httpMethods,
  STATUS_CODES: native.statusCodes(),
  hasInvalidHeaderChar,
  utcDate,
  isToken,
  parseUniqueHeadersOption,
  kHeaders,
  kMeasure,
  kUniqueHeaders,
  kNeedDrain,
  emitDrainIfNeeded,
  exchangeDetail,
  validateHeaderName,
  validateHeaderValue,
};
