// Validation of arguments. The functions throw Node's coded errors; `name` is the argument's name in the
// message.
const { codes } = require('internal/errors');

function fail(code, ...args) { throw new codes[code](...args); }
function validateString(value, name) { if (typeof value !== 'string') fail('ERR_INVALID_ARG_TYPE', name, 'string', value); }

function validateNumber(value, name, min, max) {
  if (typeof value !== 'number') fail('ERR_INVALID_ARG_TYPE', name, 'number', value);
  const limits = [];
  if (min != null) limits.push(`>= ${min}`);
  if (max != null) limits.push(`<= ${max}`);
  const isInRange = value >= (min ?? -Infinity) && value <= (max ?? Infinity);
  if (limits.length > 0 && !isInRange) fail('ERR_OUT_OF_RANGE', name, limits.join(' && '), value);
}

function integerInRange(value, name, min, max) {
  if (typeof value !== 'number') fail('ERR_INVALID_ARG_TYPE', name, 'number', value);
  if (!Number.isInteger(value)) fail('ERR_OUT_OF_RANGE', name, 'an integer', value);
  if (value < min || value > max) fail('ERR_OUT_OF_RANGE', name, `>= ${min} && <= ${max}`, value);
}

function validateInteger(value, name, min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER) { integerInRange(value, name, min, max); }
function validateInt32(value, name, min = -2147483648, max = 2147483647) { integerInRange(value, name, min, max); }
function validateUint32(value, name, positive = false) { integerInRange(value, name, positive ? 1 : 0, 4294967295); }
function validateBoolean(value, name) { if (typeof value !== 'boolean') fail('ERR_INVALID_ARG_TYPE', name, 'boolean', value); }
function validateFunction(value, name) { if (typeof value !== 'function') fail('ERR_INVALID_ARG_TYPE', name, 'Function', value); }

function validateArray(value, name, minLength = 0) {
  if (!Array.isArray(value)) fail('ERR_INVALID_ARG_TYPE', name, 'Array', value);
  if (value.length < minLength) fail('ERR_INVALID_ARG_VALUE', name, value, `must be longer than ${minLength}`);
}

// Options: `allowArray`, `allowFunction`, `nullable`.
function validateObject(value, name, { allowArray = false, allowFunction = false, nullable = false } = {}) {
  const isValid = (nullable || value !== null) && (allowArray || !Array.isArray(value)) &&
    (typeof value === 'object' || (allowFunction && typeof value === 'function'));
  if (!isValid) fail('ERR_INVALID_ARG_TYPE', name, 'Object', value);
}

function validateOneOf(value, name, allowed) {
  if (allowed.includes(value)) return;
  const quoted = allowed.map((item) => (typeof item === 'string' ? `'${item}'` : String(item)));
  fail('ERR_INVALID_ARG_VALUE', name, value, `must be one of: ${quoted.join(', ')}`);
}

// Checks for a property, because signals of other implementations are accepted.
function isAbortSignal(value) { return value !== null && typeof value === 'object' && 'aborted' in value; }

function validateAbortSignal(signal, name) {
  if (signal !== undefined && !isAbortSignal(signal)) fail('ERR_INVALID_ARG_TYPE', name, 'AbortSignal', signal);
}

function validateBuffer(value, name = 'buffer') {
  if (!ArrayBuffer.isView(value)) fail('ERR_INVALID_ARG_TYPE', name, ['Buffer', 'TypedArray', 'DataView'], value);
}

// Returns the port as a number. Numeric strings are accepted.
function validatePort(port, name = 'Port', allowZero = true) {
  const text = typeof port === 'string' ? port.trim() : port;
  const number = Number(typeof port === 'number' || typeof port === 'string' ? port : NaN);
  if (text === '' || !Number.isInteger(number) || number < 0 || number > 0xffff || (number === 0 && !allowZero)) {
    fail('ERR_SOCKET_BAD_PORT', name, port, allowZero);
  }
  return number | 0;
}

function validateEncoding(data, encoding) {
  const length = data.length;
  if (typeof encoding === 'string' && encoding.toLowerCase() === 'hex' && length % 2 !== 0) {
    fail('ERR_INVALID_ARG_VALUE', 'encoding', encoding, `is invalid for data of length ${length}`);
  }
}

// A file mode: a number, or its octal digits as a string.
function parseFileMode(value, name, fallback) {
  value ??= fallback;
  if (typeof value === 'string') {
    if (!/^[0-7]+$/.test(value)) fail('ERR_INVALID_ARG_VALUE', name, value, 'must be a 32-bit unsigned integer or an octal string');
    value = parseInt(value, 8);
  }
  validateUint32(value, name);
  return value;
}

module.exports = {
  parseFileMode, validateAbortSignal, validateArray, validateBoolean, validateBuffer, validateEncoding,
  validateFunction, validateInt32, validateInteger, validateNumber, validateObject, validateOneOf, validatePort,
  validateString, validateUint32,
};
