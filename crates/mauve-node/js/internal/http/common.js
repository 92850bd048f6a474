// What both sides of HTTP need: names, checks, dates.

const { codes } = require('internal/errors');

const native = binding('http');

// The phrases, class by class; an entry without a number has the one after that of the entry before.
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

function numbered(lines) {
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

// Names that have passed before: servers use few.
const seen = new Set();
const SEEN_LIMIT = 1000;

function validateHeaderName(name, label) {
  if (seen.has(name)) return;
  if (!isToken(name)) throw new codes.ERR_INVALID_HTTP_TOKEN(label || 'Header name', name);
  if (seen.size < SEEN_LIMIT) seen.add(name);
}

const FORBIDDEN = /[^\t\x20-\x7e\x80-\xff]/;

// Whether a text would break the line it is written to.
function breaksLine(text) {
  return FORBIDDEN.test(text);
}

function validateHeaderValue(name, value) {
  if (value === undefined) throw new codes.ERR_HTTP_INVALID_HEADER_VALUE(value, name);
  if (breaksLine(value)) throw new codes.ERR_INVALID_CHAR('header content', name);
}

const clock = { second: 0, text: '' };

// The Date header's text, made once a second.
function dateText() {
  const second = Math.floor(Date.now() / 1000);
  if (second !== clock.second) {
    clock.second = second;
    clock.text = new Date(second * 1000).toUTCString();
  }
  return clock.text;
}

// Set on a message whose writer was told to wait.
const kStalled = Symbol('stalled');
// The headers of a message: by lower-case name, [name, value]; null if there are none.
const kFields = Symbol('fields');
// Names whose values share a line, however many there are.
const kJoined = Symbol('joined');

// The set for kJoined out of the option `uniqueHeaders`.
function joinedNames(names) {
  return names ? new Set(names.flat().map((name) => name.toLowerCase())) : null;
}

// Tells the message that a socket serves that there is room again.
function relieve(socket) {
  const message = socket._httpMessage;
  if (!message?.[kStalled] || message.finished) return;
  message[kStalled] = false;
  message.emit('drain');
}

module.exports = {
  METHODS: native.methods,
  STATUS_CODES: numbered(PHRASES),
  breaksLine,
  dateText,
  isToken,
  joinedNames,
  kFields,
  kJoined,
  kStalled,
  relieve,
  validateHeaderName,
  validateHeaderValue,
};
