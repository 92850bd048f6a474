// Helpers for HTTP clients and servers: status codes, validation of headers, dates.
const { codes } = require('internal/errors');
const { setTimeout } = require('timers');
const native = binding('http');

function isToken(text) { return typeof text === 'string' && native.isToken(text); }
function validateHeaderName(name, label) { if (!isToken(name)) throw new codes.ERR_INVALID_HTTP_TOKEN(label || 'Header name', name); }

const INVALID_CHARS = /[^\t\x20-\x7e\x80-\xff]/;

// Whether a header value or a reason phrase has characters that are not allowed.
function hasInvalidHeaderChar(text) { return INVALID_CHARS.test(text); }

function validateHeaderValue(name, value) {
  if (value === undefined) throw new codes.ERR_HTTP_INVALID_HEADER_VALUE(value, name);
  if (hasInvalidHeaderChar(value)) throw new codes.ERR_INVALID_CHAR('header content', name);
}

let hasDate = false;

// Sets the value of the Date header. It is kept until the second ends.
function updateDate() {
  if (hasDate) return;
  hasDate = true;
  const now = new Date();
  native.setDate(now.toUTCString());
  setTimeout(clearDate, 1000 - now.getMilliseconds()).unref();
}

function clearDate() {
  hasDate = false;
  native.setDate('');
}

// The state of an outgoing message: bits of binding('http').state.
const kState = Symbol('state');
// The headers of a message: by lower-case name, [name, value]; null if there are none.
const kHeaders = Symbol('headers');
// Names of headers whose values are joined into one line.
const kUniqueHeaders = Symbol('uniqueHeaders');

// Converts the option `uniqueHeaders` to a set of lower-case names.
function parseUniqueHeadersOption(names) { return names ? new Set(names.flat().map((name) => name.toLowerCase())) : null; }

// The function that ends the measurement of an exchange for perf_hooks.
const kMeasure = Symbol('measure');

// The detail of a performance entry.
function exchangeDetail({ method, headers }, url, { statusCode, statusMessage }, responseHeaders) {
  return { req: { method, url, headers }, res: { statusCode, statusMessage, headers: responseHeaders } };
}

// The engine shares the layout of objects only with other objects that exist, and creates it otherwise. These
// objects keep the layouts of one to which the properties are added in this order.
function keepLayouts(prototype, ...names) {
  return names.map((_, end) => {
    const object = Object.create(prototype);
    for (const name of names.slice(0, end + 1)) object[name] = undefined;
    return object;
  });
}

module.exports = {
  METHODS: native.httpMethods,
  STATUS_CODES: Object.fromEntries(binding('util').table('statusCodes')),
  state: native.state,
  hasInvalidHeaderChar, updateDate, isToken, parseUniqueHeadersOption, kHeaders, kMeasure, kState, kUniqueHeaders,
  exchangeDetail, keepLayouts, validateHeaderName, validateHeaderValue,
};
