// Helpers for HTTP clients and servers: status codes, validation of headers, dates.

const { codes } = require('internal/errors');
const { setTimeout } = require('timers');

const native = binding('http');

// Status codes and reason phrases. An entry without a number has the number after the previous one.
const PHRASES = [
  '100 Continue, Switching Protocols, Processing, Early Hints',
  '200 OK, Created, Accepted, Non-Authoritative Information, No Content, Reset Content, ' +
    'Partial Content, Multi-Status, Already Reported, 226 IM Used',
  '300 Multiple Choices, Moved Permanently, Found, See Other, Not Modified, Use Proxy, ' +
    '307 Temporary Redirect, Permanent Redirect',
  '400 Bad Request, Unauthorized, Payment Required, Forbidden, Not Found, Method Not Allowed, ' +
    'Not Acceptable, Proxy Authentication Required, Request Timeout, Conflict, Gone, ' +
    'Length Required, Precondition Failed, Payload Too Large, URI Too Long, ' +
    'Unsupported Media Type, Range Not Satisfiable, Expectation Failed, I\'m a Teapot, ' +
    '421 Misdirected Request, Unprocessable Entity, Locked, Failed Dependency, Too Early, ' +
    'Upgrade Required, 428 Precondition Required, Too Many Requests, ' +
    '431 Request Header Fields Too Large, 451 Unavailable For Legal Reasons',
  '500 Internal Server Error, Not Implemented, Bad Gateway, Service Unavailable, ' +
    'Gateway Timeout, HTTP Version Not Supported, Variant Also Negotiates, ' +
    'Insufficient Storage, Loop Detected, Bandwidth Limit Exceeded, Not Extended, ' +
    'Network Authentication Required',
];

function parsePhrases(lines) {
  const phrases = {};
  let last = 0;
  for (const entry of lines.join(', ').split(', ')) {
    const [, number, phrase] = /^(?:(\d+) )?(.*)$/.exec(entry);
    last = number === undefined ? last + 1 : Number(number);
    phrases[last] = phrase;
  }
  return phrases;
}

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
  STATUS_CODES: parsePhrases(PHRASES),
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
