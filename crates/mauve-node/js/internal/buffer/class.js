// The class Buffer: its constructor and static functions.
const { codes } = require('internal/errors');
const { validateArray, validateNumber } = require('internal/validators');
const types = require('internal/util/types');
const encodings = require('internal/buffer/encodings');
const { checkBytes, connect, methods } = require('internal/buffer/methods');
const numbers = require('internal/buffer/numbers');
const natives = binding('buffer');
const MAX_LENGTH = Number.MAX_SAFE_INTEGER;

// The class of all buffers. Buffer shares its prototype, but is a function,
// because it can be called without `new`.
class FastBuffer extends Uint8Array {
  // biome-ignore lint/complexity/noUselessConstructor: the implicit one spreads its arguments, which is slower
  constructor(source, byteOffset, length) { super(source, byteOffset, length); }
}

const view = (buffer, offset, length) => new FastBuffer(buffer, offset, length);
connect(view);
const adopt = (bytes) => new FastBuffer(bytes.buffer, bytes.byteOffset, bytes.length);
let isConstructorWarned = false;

// Code in node_modules gets no warning, unless pending deprecations are shown.
function isCalledByDependency() {
  if (process.env.NODE_PENDING_DEPRECATION === '1') return false;
  const frames = String(new Error().stack).split('\n');
  const caller = frames.find((line) => line.startsWith('    at ') && !/node:|\(native\)/.test(line));
  return /[/\\]node_modules[/\\]/.test(caller);
}

function warnOfConstructor() {
  process.emitWarning('Buffer() is deprecated due to security and usability issues. Please use the ' +
    'Buffer.alloc(), Buffer.allocUnsafe(), or Buffer.from() methods instead.', 'DeprecationWarning', 'DEP0005');
}

function Buffer(argument, encodingOrOffset, length) {
  if (!isConstructorWarned) {
    // The script may have a function for stacks that calls this constructor.
    isConstructorWarned = true;
    if (isCalledByDependency()) isConstructorWarned = false;
    else warnOfConstructor();
  }
  if (typeof argument === 'number') {
    if (typeof encodingOrOffset === 'string') throw new codes.ERR_INVALID_ARG_TYPE('string', 'string', argument);
    return Buffer.alloc(argument);
  }
  return Buffer.from(argument, encodingOrOffset, length);
}

Object.setPrototypeOf(Buffer, Uint8Array);
Buffer.prototype = FastBuffer.prototype;
Object.defineProperty(Buffer.prototype, 'constructor', { value: Buffer, writable: true, configurable: true });
Object.defineProperty(Buffer, Symbol.species, { get: () => FastBuffer, configurable: true });

function checkSize(size) { validateNumber(size, 'size', 0, MAX_LENGTH); }

function fromString(text, encoding) {
  if (typeof encoding !== 'string' || encoding.length === 0) return adopt(encodings.utf8.toBytes(text));
  return adopt(encodings.get(encoding).toBytes(text));
}

function fromArrayBuffer(buffer, byteOffset, length) {
  byteOffset = byteOffset === undefined ? 0 : +byteOffset || 0;
  const available = buffer.byteLength - byteOffset;
  if (available < 0) throw new codes.ERR_BUFFER_OUT_OF_BOUNDS('offset');
  if (length === undefined) return new FastBuffer(buffer, byteOffset, available);
  length = +length;
  if (!(length > 0)) length = 0;
  else if (length > available) throw new codes.ERR_BUFFER_OUT_OF_BOUNDS('length');
  return new FastBuffer(buffer, byteOffset, length);
}

function fromArrayLike(list) {
  const buffer = new FastBuffer(Math.max(list.length, 0));
  if (list instanceof Uint8Array) {
    buffer.set(list);
  } else {
    for (let i = 0; i < buffer.length; i++) buffer[i] = list[i];
  }
  return buffer;
}

// From an array-like object or the JSON form of a buffer; undefined for others.
function fromArrayOrJson(object) {
  if (object.length !== undefined || types.isAnyArrayBuffer(object.buffer)) {
    return typeof object.length === 'number' ? fromArrayLike(object) : new FastBuffer(0);
  }
  if (object.type === 'Buffer' && Array.isArray(object.data)) return fromArrayLike(object.data);
  return undefined;
}

// From an object that converts to a string; undefined for others.
function fromPrimitive(object, encoding) {
  if (typeof object[Symbol.toPrimitive] !== 'function') return undefined;
  const text = object[Symbol.toPrimitive]('string');
  return typeof text === 'string' ? fromString(text, encoding) : undefined;
}

function fromObject(object, encodingOrOffset, length) {
  if (object instanceof Uint8Array) return fromArrayLike(object);
  if (types.isAnyArrayBuffer(object)) return fromArrayBuffer(object, encodingOrOffset, length);
  const inner = object.valueOf?.();
  if (inner != null && inner !== object && ['string', 'object'].includes(typeof inner)) return from(inner, encodingOrOffset, length);
  return fromArrayOrJson(object) ?? fromPrimitive(object, encodingOrOffset);
}

function from(value, encodingOrOffset, length) {
  if (typeof value === 'string') return fromString(value, encodingOrOffset);
  const isObject = typeof value === 'object' && value !== null;
  const buffer = isObject ? fromObject(value, encodingOrOffset, length) : undefined;
  if (buffer !== undefined) return buffer;
  throw new codes.ERR_INVALID_ARG_TYPE(
    'first argument', ['string', 'Buffer', 'ArrayBuffer', 'Array', 'Array-like Object'], value);
}

const statics = {
  poolSize: 65536,

  from,

  of(...items) { return fromArrayLike(items); },

  alloc(size, fill, encoding) {
    checkSize(size);
    const buffer = new FastBuffer(size);
    if (fill !== undefined && fill !== 0 && size > 0) return buffer.fill(fill, encoding);
    return buffer;
  },

  allocUnsafe(size) {
    checkSize(size);
    return new FastBuffer(size);
  },

  allocUnsafeSlow(size) {
    checkSize(size);
    return new FastBuffer(size);
  },

  isBuffer(value) { return value instanceof Buffer; },

  isEncoding(encoding) { return typeof encoding === 'string' && encoding.length !== 0 && encodings.find(encoding) !== undefined; },

  byteLength(value, encoding) {
    if (typeof value !== 'string') {
      if (ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value)) return value.byteLength;
      throw new codes.ERR_INVALID_ARG_TYPE('string', ['string', 'Buffer', 'ArrayBuffer'], value);
    }
    return (encoding ? encodings.find(encoding) ?? encodings.utf8 : encodings.utf8).byteLength(value);
  },

  compare(a, b) {
    checkBytes(a, 'buf1');
    checkBytes(b, 'buf2');
    return a === b ? 0 : natives.compare(a, b);
  },

  concat(list, length) {
    validateArray(list, 'list');
    if (list.length === 0) return new FastBuffer(0);
    if (length !== undefined) require('internal/validators').validateInteger(length, 'length', 0, MAX_LENGTH);
    const fail = (index) => { throw new codes.ERR_INVALID_ARG_TYPE(`list[${index}]`, ['Buffer', 'Uint8Array'], list[index]); };
    const missing = list.findIndex((item) => item === null || item === undefined);
    if (missing !== -1) fail(missing);
    const buffer = new FastBuffer(length ?? natives.sumLengths(list));
    const invalid = natives.copyAll(list, buffer);
    if (invalid !== -1) fail(invalid);
    return buffer;
  },

  copyBytesFrom(array, offset, length) {
    if (!types.isTypedArray(array)) throw new codes.ERR_INVALID_ARG_TYPE('view', 'TypedArray', array);
    const { validateInteger } = require('internal/validators');
    if (offset !== undefined) validateInteger(offset, 'offset', 0);
    if (length !== undefined) validateInteger(length, 'length', 0);
    const start = offset ?? 0;
    const slice = array.slice(start, length === undefined ? array.length : start + length);
    return fromArrayLike(new Uint8Array(slice.buffer, slice.byteOffset, slice.byteLength));
  },
};

for (const [name, value] of Object.entries(statics)) {
  Object.defineProperty(Buffer, name, { value, writable: true, enumerable: true, configurable: true });
}

Object.assign(Buffer.prototype, methods, numbers.methods);
Object.defineProperties(Buffer.prototype, {
  parent: { enumerable: true, get() { return this instanceof Buffer ? this.buffer : undefined; } },
  offset: { enumerable: true, get() { return this instanceof Buffer ? this.byteOffset : undefined; } },
});

module.exports = { Buffer, MAX_LENGTH, view };
