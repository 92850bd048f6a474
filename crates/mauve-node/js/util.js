// The module 'util'. Large parts are loaded on first use.
const { inspect, stripVTControlCharacters } = require('internal/util/inspect');
const { format, formatWithOptions } = require('internal/util/format');
const types = require('internal/util/types');
const wrappers = require('internal/util/wrappers');
const { defineComputed } = require('internal/util/getters');
const { codes, webidlError } = require('internal/errors');
const { validateAbortSignal, validateBoolean, validateNumber, validateObject, validateOneOf, validateString } = require('internal/validators');

function inherits(ctor, superCtor) {
  for (const [name, value] of Object.entries({ ctor, superCtor })) {
    if (value == null) throw new codes.ERR_INVALID_ARG_TYPE(name, 'Function', value);
  }
  const { prototype } = superCtor;
  if (prototype === undefined) throw new codes.ERR_INVALID_ARG_TYPE('superCtor.prototype', 'Object', prototype);
  Object.defineProperty(ctor, 'super_', { configurable: true, writable: true, value: superCtor });
  Object.setPrototypeOf(ctor.prototype, prototype);
}

function _extend(target, source) { return typeof source === 'object' && source !== null ? Object.assign(target, source) : target; }
function toUSVString(value) { return `${value}`.toWellFormed(); }

// Colours `text` if `stream` supports colours, or always without `validateStream`.
function styleText(style, text, options = {}) {
  const { validateStream = true, stream = process.stdout } = options;
  validateString(text, 'text');
  validateBoolean(validateStream, 'options.validateStream');
  if (validateStream && (stream === null || typeof stream !== 'object' || typeof stream.write !== 'function')) {
    throw new codes.ERR_INVALID_ARG_TYPE('stream', ['ReadableStream', 'WritableStream', 'Stream'], stream);
  }
  let left = '';
  let right = '';
  for (const name of Array.isArray(style) ? style : [style]) {
    const pair = inspect.colors[name];
    if (pair === undefined) validateOneOf(name, 'format', Object.keys(inspect.colors));
    left += `\u001b[${pair[0]}m`;
    right = `\u001b[${pair[1]}m${right}`;
  }
  const hasColors = !validateStream ||
    Boolean(stream.isTTY && (typeof stream.getColorDepth !== 'function' || stream.getColorDepth() > 2));
  return hasColors ? `${left}${text}${right}` : text;
}

function getSystemErrorName(number) {
  validateNumber(number, 'err');
  if (number >= 0 || !Number.isSafeInteger(number)) throw new codes.ERR_OUT_OF_RANGE('err', 'a negative integer', number);
  return binding('errno').name(number);
}

function getSystemErrorMap() {
  const errno = binding('errno');
  const map = new Map();
  for (let number = -1; number > -5000; number--) {
    const name = errno.name(number);
    if (/^E[A-Z0-9_]+$/.test(name)) map.set(number, [name, errno.message(number)]);
  }
  return map;
}

// Prints to stderr if NODE_DEBUG names the section.
function debuglog(section, callback) {
  let enabled;
  const log = (...args) => { if (test()) process.stderr.write(`${section.toUpperCase()} ${process.pid}: ${format(...args)}\n`); };
  function test() {
    if (enabled === undefined) {
      const patterns = (process.env.NODE_DEBUG ?? '').split(',').filter(Boolean)
        .map((one) => one.trim().replace(/[\\^$.|?+()[\]{}]/g, '\\$&').replaceAll('*', '.*'));
      enabled = patterns.length > 0 && new RegExp(`^(?:${patterns.join('|')})$`, 'i').test(section);
      if (callback) callback(log);
    }
    return enabled;
  }
  const logger = (...args) => log(...args);
  Object.defineProperty(logger, 'enabled', { get: test, configurable: true, enumerable: true });
  return logger;
}

async function aborted(signal, resource) {
  if (signal === null || typeof signal !== 'object' || !('aborted' in signal)) throw webidlError('signal is not of type AbortSignal.');
  validateObject(resource, 'resource', { allowFunction: true });
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener('abort', (event) => {
      if (event.isTrusted) resolve();
    }, { once: true });
  });
}

// There are no worker threads, so every signal is already usable everywhere.
function transferableAbortSignal(signal) {
  if (signal === undefined) throw new codes.ERR_INVALID_ARG_TYPE('signal', 'AbortSignal', signal);
  validateAbortSignal(signal, 'signal');
  return signal;
}

const util = {
  _errnoException: (...args) => require('internal/errors').errnoException(...args),
  _exceptionWithHostPort: (...args) => require('internal/errors').exceptionWithHostPort(...args),
  _extend,
  callbackify: wrappers.callbackify,
  debug: debuglog,
  debuglog,
  deprecate: wrappers.deprecate,
  format, styleText, formatWithOptions, getSystemErrorMap, getSystemErrorName, inherits, inspect,
  isArray: Array.isArray,
  isBoolean: (value) => typeof value === 'boolean',
  isBuffer: (value) => require('buffer').Buffer.isBuffer(value),
  isDeepStrictEqual: (a, b) => require('internal/util/comparisons').isDeepStrictEqual(a, b),
  isNull: (value) => value === null,
  isNullOrUndefined: (value) => value === null || value === undefined,
  isNumber: (value) => typeof value === 'number',
  isString: (value) => typeof value === 'string',
  isSymbol: (value) => typeof value === 'symbol',
  isUndefined: (value) => value === undefined,
  isRegExp: types.isRegExp,
  isObject: (value) => value !== null && typeof value === 'object',
  isDate: types.isDate,
  isError: (value) => types.isNativeError(value) || value instanceof Error,
  isFunction: (value) => typeof value === 'function',
  isPrimitive: (value) => value === null || (typeof value !== 'object' && typeof value !== 'function'),
  log(...args) {
    const now = new Date();
    const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
    const time = [now.getHours(), now.getMinutes(), now.getSeconds()].map((part) => String(part).padStart(2, '0'));
    require('console').log('%s - %s', `${now.getDate()} ${months[now.getMonth()]} ${time.join(':')}`, format(...args));
  },
  promisify: wrappers.promisify,
  stripVTControlCharacters(text) {
    validateString(text, 'str');
    return stripVTControlCharacters(text);
  },
  toUSVString, transferableAbortSignal,
  transferableAbortController: () => new AbortController(),
  aborted, types,
};

function lazy(name, id) { defineComputed(util, name, () => require(id)[name], { enumerable: true }); }
lazy('parseArgs', 'internal/util/parse_args');
lazy('parseEnv', 'internal/util/parse_env');
lazy('TextDecoder', 'internal/encoding');
lazy('TextEncoder', 'internal/encoding');

require('internal/errors').refuse(util, 'util', ['MIMEParams', 'MIMEType']);

module.exports = util;
