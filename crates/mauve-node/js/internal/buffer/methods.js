// The methods of Buffer other than numbers: text, copying, searching, filling.
const { codes } = require('internal/errors');
const { validateInteger, validateNumber } = require('internal/validators');
const encodings = require('internal/buffer/encodings');
const natives = binding('buffer');
const customInspectSymbol = Symbol.for('nodejs.util.inspect.custom');
const { fill: typedFill, indexOf: typedIndexOf, lastIndexOf: typedLastIndexOf, set: typedSet } = Uint8Array.prototype;
// A plain Uint8Array; `subarray` would look up the species constructor.
const part = (bytes, start, end) => new Uint8Array(bytes.buffer, bytes.byteOffset + start, end - start);
// Creates a Buffer; set by internal/buffer/class, which requires this file.
let view;
function connect(makeView) { view = makeView; }
const isBytes = (value) => value instanceof Uint8Array;
function checkBytes(value, name) { if (!isBytes(value)) throw new codes.ERR_INVALID_ARG_TYPE(name, ['Buffer', 'Uint8Array'], value); }
const checkRange = (value, name, max) => validateInteger(value, name, 0, max);

// An index as `slice` takes it: negative ones count from the end, all are clamped to 0..length.
function clampIndex(index, length) {
  index = Math.trunc(+index) || 0;
  if (index < 0) return Math.max(0, index + length);
  return Math.min(index, length);
}

function toStringMethod(encoding, start, end) {
  if (arguments.length === 0) return encodings.utf8.toText(this, 0, this.length);
  const { length } = this;
  if (!(start > 0)) start = 0;
  else if (start >= length) return '';
  else start = Math.trunc(start);
  if (end === undefined || end > length) end = length;
  else end = Math.trunc(end) || 0;
  if (end <= start) return '';
  if (encoding === null || typeof encoding === 'number') throw new codes.ERR_UNKNOWN_ENCODING(encoding);
  return encodings.get(encoding).toText(this, start, end);
}

// Writes the bytes that fit, without a partial character at the end.
function writeBytes(target, bytes, offset, room, encoding) {
  let count = Math.min(bytes.length, room);
  if (count < bytes.length) {
    if (encoding.name === 'utf8') {
      while (count > 0 && (bytes[count] & 0xc0) === 0x80) count -= 1;
    } else if (encoding.name === 'utf16le') {
      count -= count % 2;
    }
    bytes = part(bytes, 0, count);
  }
  if (count > 0) typedSet.call(target, bytes, offset);
  return count;
}

function write(string, offset, length, encoding) {
  if (typeof offset === 'string') {
    [encoding, offset, length] = [offset, undefined, undefined];
  } else if (typeof length === 'string') {
    [encoding, length] = [length, undefined];
  }
  if (typeof string !== 'string') throw Object.assign(new TypeError('argument must be a string'), { code: 'ERR_INVALID_ARG_TYPE' });
  if (offset === undefined) offset = 0;
  else checkRange(offset, 'offset', this.length);
  const remaining = this.length - offset;
  if (length === undefined) length = remaining;
  else {
    checkRange(length, 'length', this.length);
    length = Math.min(length, remaining);
  }
  const codec = encodings.get(encoding);
  return writeBytes(this, codec.toBytes(string), offset, length, codec);
}

function copy(target, targetStart = 0, sourceStart = 0, sourceEnd = this.length) {
  checkBytes(target, 'target');
  targetStart = toInteger(targetStart, 0);
  if (targetStart < 0) throw new codes.ERR_OUT_OF_RANGE('targetStart', '>= 0', targetStart);
  sourceStart = toInteger(sourceStart, 0);
  if (sourceStart < 0 || sourceStart > this.length) throw new codes.ERR_OUT_OF_RANGE('sourceStart', `>= 0 && <= ${this.length}`, sourceStart);
  sourceEnd = toInteger(sourceEnd, 0);
  if (sourceEnd < 0) throw new codes.ERR_OUT_OF_RANGE('sourceEnd', '>= 0', sourceEnd);
  if (targetStart >= target.length || sourceStart >= sourceEnd) return 0;
  const count = Math.min(sourceEnd - sourceStart, target.length - targetStart, this.length - sourceStart);
  if (count <= 0) return 0;
  typedSet.call(target, part(this, sourceStart, sourceStart + count), targetStart);
  return count;
}

function toInteger(value, fallback) {
  value = +value;
  return Number.isNaN(value) ? fallback : Math.trunc(value);
}

function compare(target, targetStart, targetEnd, sourceStart, sourceEnd) {
  checkBytes(target, 'target');
  if (arguments.length === 1) return natives.compare(this, target);
  const bound = (value, name, fallback, max) => {
    if (value !== undefined) checkRange(value, name, max);
    return value ?? fallback;
  };
  const huge = Number.MAX_SAFE_INTEGER;
  targetStart = bound(targetStart, 'targetStart', 0, huge);
  targetEnd = bound(targetEnd, 'targetEnd', target.length, target.length);
  sourceStart = bound(sourceStart, 'sourceStart', 0, huge);
  sourceEnd = bound(sourceEnd, 'sourceEnd', this.length, this.length);
  if (sourceStart >= sourceEnd) return targetStart >= targetEnd ? 0 : -1;
  if (targetStart >= targetEnd) return 1;
  return natives.compare(
    part(this, sourceStart, sourceEnd), part(target, targetStart, targetEnd));
}

function search(buffer, value, offset, encoding, forward) {
  if (typeof offset === 'string') [encoding, offset] = [offset, undefined];
  const { length } = buffer;
  offset = +offset;
  if (Number.isNaN(offset)) offset = forward ? 0 : length;
  // Adding zero turns -0 into 0.
  offset = Math.trunc(offset) + 0;
  if (offset < 0) offset += length;
  if (typeof value === 'number') {
    if (forward) return typedIndexOf.call(buffer, value & 255, Math.max(0, offset));
    return offset < 0 ? -1 : typedLastIndexOf.call(buffer, value & 255, offset);
  }
  let step = 1;
  let needle = value;
  if (typeof value === 'string') {
    const codec = encodings.get(encoding);
    needle = codec.toBytes(value);
    if (codec.name === 'utf16le') step = 2;
  } else if (!isBytes(value)) {
    throw new codes.ERR_INVALID_ARG_TYPE('value', ['number', 'string', 'Buffer', 'Uint8Array'], value);
  } else if (encodings.find(encoding)?.name === 'utf16le') {
    step = 2;
  }
  if (offset < 0) {
    if (!forward && needle.length > 0) return -1;
    offset = 0;
  }
  offset = Math.min(offset, length);
  // Half a code unit is not found.
  if (step === 2 && needle.length < 2 && needle.length > 0) return -1;
  if (step === 2 && (forward || needle.length > 0)) offset -= offset % 2;
  if (needle.length === 0) return offset;
  if (forward) return offset >= length ? -1 : natives.indexOf(buffer, needle, offset, step);
  return natives.lastIndexOf(buffer, needle, offset, step);
}

function fill(value, offset, end, encoding) {
  if (typeof value === 'string') {
    if (offset === undefined || typeof offset === 'string') {
      [encoding, offset, end] = [offset, 0, this.length];
    } else if (typeof end === 'string') {
      [encoding, end] = [end, this.length];
    }
    if (encoding !== undefined && encoding !== null && typeof encoding !== 'string') {
      throw new codes.ERR_INVALID_ARG_TYPE('encoding', 'string', encoding);
    }
    const codec = encodings.get(encoding);
    if (value.length === 0) {
      value = 0;
    } else {
      const bytes = codec.toBytes(value);
      if (bytes.length === 0) throw new codes.ERR_INVALID_ARG_VALUE('value', value);
      value = bytes.length === 1 ? bytes[0] : bytes;
    }
  }
  if (offset === undefined) {
    offset = 0;
    end = this.length;
  } else {
    validateNumber(offset, 'offset', 0, Number.MAX_SAFE_INTEGER);
    if (end === undefined) end = this.length;
    else validateNumber(end, 'end', 0, this.length);
    if (offset >= end) return this;
  }
  if (!isBytes(value)) {
    typedFill.call(this, typeof value === 'boolean' ? +value : Number(value) & 255, offset, end);
    return this;
  }
  if (value.length === 0) throw new codes.ERR_INVALID_ARG_VALUE('value', value);
  // Copies the pattern once, then doubles the filled part.
  const room = end - offset;
  const first = Math.min(value.length, room);
  typedSet.call(this, part(value, 0, first), offset);
  for (let done = first; done < room; done *= 2) this.copyWithin(offset + done, offset, offset + Math.min(done, room - done));
  return this;
}

function swap(buffer, width) {
  if (buffer.length % width !== 0) throw new codes.ERR_INVALID_BUFFER_SIZE(`${width * 8}-bits`);
  for (let start = 0; start < buffer.length; start += width) {
    for (let i = start, j = start + width - 1; i < j; i++, j--) [buffer[i], buffer[j]] = [buffer[j], buffer[i]];
  }
  return buffer;
}

function inspectBuffer(depth, options) {
  const max = require('buffer').INSPECT_MAX_BYTES;
  const shown = Math.min(max, this.length);
  let text = encodings.get('hex').toText(this, 0, shown).replace(/(.{2})/g, '$1 ').trim();
  const remaining = this.length - max;
  if (remaining > 0) text += ` ... ${remaining} more byte${remaining > 1 ? 's' : ''}`;
  const isIndex = (key) => typeof key === 'string' && /^\d+$/.test(key);
  const extras = Reflect.ownKeys(this).filter((key) => !isIndex(key) &&
    (options?.showHidden || Object.prototype.propertyIsEnumerable.call(this, key)));
  if (options && extras.length > 0) {
    const properties = Object.create(null);
    for (const key of extras) properties[key] = this[key];
    if (this.length !== 0) text += ', ';
    const { inspect } = require('internal/util/inspect');
    // Strips "[Object: null prototype] { " and " }".
    text += inspect(properties, { ...options, breakLength: Infinity, compact: true }).slice(27, -2);
  }
  return `<${this.constructor.name} ${text}>`;
}

const methods = {
  toString: toStringMethod,
  toLocaleString: toStringMethod,
  write, copy, compare, fill,

  equals(other) {
    checkBytes(other, 'otherBuffer');
    if (this === other) return true;
    return this.length === other.length && natives.compare(this, other) === 0;
  },

  indexOf(value, offset, encoding) { return search(this, value, offset, encoding, true); },
  lastIndexOf(value, offset, encoding) { return search(this, value, offset, encoding, false); },
  includes(value, offset, encoding) { return search(this, value, offset, encoding, true) !== -1; },

  subarray(start, end) {
    const { length } = this;
    const from = clampIndex(start, length);
    const to = end === undefined ? length : clampIndex(end, length);
    return view(this.buffer, this.byteOffset + from, Math.max(0, to - from));
  },

  slice(start, end) { return this.subarray(start, end); },
  swap16() { return swap(this, 2); },
  swap32() { return swap(this, 4); },
  swap64() { return swap(this, 8); },

  toJSON() { return { type: 'Buffer', data: Array.from(this) }; },

  [customInspectSymbol]: inspectBuffer,
};

// Methods by encoding: buf.utf8Slice(start, end), buf.utf8Write(text, offset, length).
for (const name of ['utf8', 'latin1', 'ascii', 'hex', 'base64', 'base64url', 'ucs2']) {
  const codec = encodings.get(name);
  methods[`${name}Slice`] = function (start = 0, end = this.length) {
    return codec.toText(this, start, Math.min(end, this.length));
  };
  methods[`${name}Write`] = function (text, offset = 0, length = this.length - offset) {
    return writeBytes(this, codec.toBytes(text), offset, Math.min(length, this.length - offset), codec);
  };
}

Object.defineProperty(methods.toString, 'name', { value: 'toString' });

module.exports = { checkBytes, connect, methods };
