// What both sides of HTTP need: names, checks, dates.

const { codes } = require('internal/errors');

const { methods, isToken } = binding('http');

const STATUS_CODES = {
  100: 'Continue',
  101: 'Switching Protocols',
  102: 'Processing',
  103: 'Early Hints',
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  203: 'Non-Authoritative Information',
  204: 'No Content',
  205: 'Reset Content',
  206: 'Partial Content',
  207: 'Multi-Status',
  208: 'Already Reported',
  226: 'IM Used',
  300: 'Multiple Choices',
  301: 'Moved Permanently',
  302: 'Found',
  303: 'See Other',
  304: 'Not Modified',
  305: 'Use Proxy',
  307: 'Temporary Redirect',
  308: 'Permanent Redirect',
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  407: 'Proxy Authentication Required',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  411: 'Length Required',
  412: 'Precondition Failed',
  413: 'Payload Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  416: 'Range Not Satisfiable',
  417: 'Expectation Failed',
  418: "I'm a Teapot",
  421: 'Misdirected Request',
  422: 'Unprocessable Entity',
  423: 'Locked',
  424: 'Failed Dependency',
  425: 'Too Early',
  426: 'Upgrade Required',
  428: 'Precondition Required',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  451: 'Unavailable For Legal Reasons',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
  505: 'HTTP Version Not Supported',
  506: 'Variant Also Negotiates',
  507: 'Insufficient Storage',
  508: 'Loop Detected',
  509: 'Bandwidth Limit Exceeded',
  510: 'Not Extended',
  511: 'Network Authentication Required',
};

// Names that have passed before: servers use few.
const goodNames = new Set();

function validateHeaderName(name, label) {
  if (goodNames.has(name)) return;
  if (typeof name !== 'string' || !isToken(name)) {
    throw new codes.ERR_INVALID_HTTP_TOKEN(label || 'Header name', name);
  }
  if (goodNames.size < 1000) goodNames.add(name);
}

const INVALID_VALUE = /[^\t\x20-\x7e\x80-\xff]/;

function checkInvalidHeaderChar(value) {
  return INVALID_VALUE.test(value);
}

function validateHeaderValue(name, value) {
  if (value === undefined) throw new codes.ERR_HTTP_INVALID_HEADER_VALUE(value, name);
  if (INVALID_VALUE.test(value)) throw new codes.ERR_INVALID_CHAR('header content', name);
}

let second = 0;
let date = '';

// The Date header's text, made once a second.
function utcDate() {
  const now = Math.floor(Date.now() / 1000);
  if (now !== second) {
    second = now;
    date = new Date(now * 1000).toUTCString();
  }
  return date;
}

// Tells a message that its socket has room again.
function ondrain() {
  const message = this._httpMessage;
  if (message && !message.finished && message[kNeedDrain]) {
    message[kNeedDrain] = false;
    message.emit('drain');
  }
}

const kNeedDrain = Symbol('needDrain');
const kOutHeaders = Symbol('outHeaders');
const kUniqueHeaders = Symbol('uniqueHeaders');

module.exports = {
  METHODS: methods,
  STATUS_CODES,
  checkInvalidHeaderChar,
  isToken: (text) => typeof text === 'string' && isToken(text),
  kNeedDrain,
  kOutHeaders,
  kUniqueHeaders,
  ondrain,
  utcDate,
  validateHeaderName,
  validateHeaderValue,
};
