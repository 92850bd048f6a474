// Checks the arguments of fs functions and converts them for the binding.
const { codes } = require('internal/errors');
const { Buffer } = require('buffer');
const { constants } = binding('fs');
const validators = require('internal/validators');
const { validateFunction, validateInteger, validateObject, validateEncoding } = validators;

// A path: a string, bytes, or a file: URL.
function toPath(value, name = 'path') {
  if (typeof value === 'object' && value !== null && value.href && value.protocol) value = require('url').fileURLToPath(value);
  if (typeof value === 'string') {
    if (value.includes('\0')) throw badPath(name, value);
    return value;
  }
  if (value instanceof Uint8Array) {
    if (value.includes(0)) throw badPath(name, value);
    return value;
  }
  throw new codes.ERR_INVALID_ARG_TYPE(name, ['string', 'Buffer', 'URL'], value);
}

function badPath(name, value) { return new codes.ERR_INVALID_ARG_VALUE(name, value, 'must be a string, Uint8Array, or URL without null bytes'); }

const toFd = (value, name = 'fd') => {
  if (typeof value !== 'number') throw new codes.ERR_INVALID_ARG_TYPE(name, 'number', value);
  validateInteger(value, name, 0, 2147483647);
  return value;
};

const { O_APPEND, O_CREAT, O_EXCL, O_RDONLY, O_RDWR, O_SYNC, O_TRUNC, O_WRONLY } = constants;

// The flags as text, such as 'wx+': a letter, a modifier before or after it, and '+' for reading and writing.
const flagValues = { __proto__: null };
for (const [letter, bits, access, modifiers] of [
  ['r', 0, O_RDONLY, { s: O_SYNC }],
  ['w', O_TRUNC | O_CREAT, O_WRONLY, { x: O_EXCL }],
  ['a', O_APPEND | O_CREAT, O_WRONLY, { x: O_EXCL, s: O_SYNC }],
]) {
  for (const [modifier, more] of [['', 0], ...Object.entries(modifiers)]) {
    for (const flags of [letter + modifier, modifier + letter]) {
      flagValues[flags] = bits | more | access;
      flagValues[`${flags}+`] = bits | more | O_RDWR;
    }
  }
}

function toFlags(flags, name = 'flags') {
  if (typeof flags === 'number') {
    validateInteger(flags, name, -2147483648, 2147483647);
    return flags;
  }
  if (flags == null) return O_RDONLY;
  const value = flagValues[flags];
  if (value === undefined) throw new codes.ERR_INVALID_ARG_VALUE(name, flags);
  return value;
}

const toMode = (mode, name, fallback) => validators.parseFileMode(mode, name, fallback);

// Merges options with defaults. A string is short for { encoding }.
function toOptions(options, defaults = {}) {
  if (options == null || typeof options === 'function') return defaults;
  if (typeof options === 'string') options = { encoding: options };
  else if (typeof options !== 'object') throw new codes.ERR_INVALID_ARG_TYPE('options', ['string', 'Object'], options);
  const merged = { ...defaults };
  // Options may be inherited.
  for (const key in options) merged[key] = options[key];
  if (merged.encoding !== undefined && merged.encoding !== 'buffer') checkEncoding(merged.encoding);
  if (merged.signal !== undefined) validators.validateAbortSignal(merged.signal, 'options.signal');
  return merged;
}

function checkEncoding(encoding) {
  if (encoding && !Buffer.isEncoding(encoding)) throw new codes.ERR_INVALID_ARG_VALUE('encoding', encoding, 'is invalid encoding');
}

const isUtf8 = (encoding) => !encoding || encoding === 'utf8' || encoding === 'utf-8';

// Converts a name from the binding to the encoding of the options.
function fromName(name, encoding) {
  if (encoding === 'buffer') return typeof name === 'string' ? Buffer.from(name) : Buffer.from(name.buffer, name.byteOffset, name.byteLength);
  if (isUtf8(encoding)) return String(name);
  return Buffer.from(name).toString(encoding);
}

// Seconds since the epoch, from a number, a numeric string or a Date.
function toTime(time, name = 'time') {
  // biome-ignore lint/suspicious/noDoubleEquals: Node accepts every string that equals its number
  if (typeof time === 'string' && +time == time) return +time;
  if (Number.isFinite(time)) return time < 0 ? Date.now() / 1000 : time;
  if (time instanceof Date) return time.getTime() / 1000;
  throw new codes.ERR_INVALID_ARG_TYPE(name, ['Date', 'Time in seconds'], time);
}

// The mode of access and copyFile; the default is 0.
function toAccess(mode) {
  if (mode === undefined || mode === null) return 0;
  if (typeof mode !== 'number') throw coded(TypeError, 'ERR_INVALID_ARG_TYPE', 'mode must be int32 or null/undefined');
  if (mode < 0 || mode > 7) throw coded(RangeError, 'ERR_OUT_OF_RANGE', 'mode is out of range: >= 0 && <= 7');
  return mode;
}

function coded(Class, code, message) {
  const err = new Class(message);
  err.code = code;
  return err;
}

function toId(value, name) {
  validateInteger(value, name, -1, 4294967295);
  return value;
}

// The binding takes -1 for the current file position.
function toPosition(position, name = 'position', length = 0) {
  if (position === undefined || position === null) return -1;
  if (typeof position === 'bigint') {
    const isInRange = position >= -1n && position < 2n ** 63n - BigInt(length);
    if (!isInRange) throw new codes.ERR_OUT_OF_RANGE(name, `>= -1 && <= ${2n ** 63n - 1n - BigInt(length)}`, position);
    // The largest number below 2^63.
    return Math.min(Number(position), 2 ** 63 - 1024);
  }
  if (typeof position !== 'number') throw new codes.ERR_INVALID_ARG_TYPE(name, ['integer', 'bigint'], position);
  validateInteger(position, name, -1);
  return position;
}

function toBytes(view, name = 'buffer') {
  if (!ArrayBuffer.isView(view)) throw new codes.ERR_INVALID_ARG_TYPE(name, ['Buffer', 'TypedArray', 'DataView'], view);
  return view instanceof Uint8Array ? view : new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

function toByteList(views) {
  if (!Array.isArray(views) || !views.every((view) => ArrayBuffer.isView(view))) {
    throw new codes.ERR_INVALID_ARG_TYPE('buffers', 'ArrayBufferView[]', views);
  }
  return views.map((view) => toBytes(view));
}

function checkRange(offset, length, byteLength) {
  if (offset > byteLength) throw new codes.ERR_OUT_OF_RANGE('offset', `<= ${byteLength}`, offset);
  if (length > byteLength - offset) throw new codes.ERR_OUT_OF_RANGE('length', `<= ${byteLength - offset}`, length);
  if (length < 0) throw new codes.ERR_OUT_OF_RANGE('length', '>= 0', length);
}

// The contents that writeFile and appendFile take, as bytes.
function toContents(data, encoding) {
  if (ArrayBuffer.isView(data)) return toBytes(data);
  if (typeof data === 'string') return Buffer.from(data, encoding || 'utf8');
  throw new codes.ERR_INVALID_ARG_TYPE('data', ['string', 'Buffer', 'TypedArray', 'DataView'], data);
}

function checkCallback(callback, name = 'cb') {
  validateFunction(callback, name);
  return callback;
}

module.exports = {
  checkCallback, checkRange, fromName, isUtf8, toAccess, toByteList, toBytes, toContents, toFd, toFlags, toId, toMode,
  toOptions, toPath, toPosition, toTime, validateEncoding, validateInteger, validateObject,
};
