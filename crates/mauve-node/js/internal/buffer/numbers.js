// Buffer's methods that read and write numbers, generated from a few functions.
// Integers up to 6 bytes use number arithmetic, 64-bit ones BigInt; floats are
// copied through a typed array.

const { codes } = require('internal/errors');

const floatBytes = new Uint8Array(8);
const float32 = new Float32Array(floatBytes.buffer);
const float64 = new Float64Array(floatBytes.buffer);

function outOfBounds(value, limit, name = 'offset') {
  if (typeof value !== 'number') throw new codes.ERR_INVALID_ARG_TYPE(name, 'number', value);
  if (Math.floor(value) !== value) throw new codes.ERR_OUT_OF_RANGE(name, 'an integer', value);
  if (limit < 0) throw new codes.ERR_BUFFER_OUT_OF_BOUNDS();
  throw new codes.ERR_OUT_OF_RANGE(name, `>= ${name === 'offset' ? 0 : 1} and <= ${limit}`, value);
}

function checkOffset(buffer, offset, width) {
  if (typeof offset !== 'number') throw new codes.ERR_INVALID_ARG_TYPE('offset', 'number', offset);
  if (buffer[offset] === undefined || buffer[offset + width - 1] === undefined) {
    outOfBounds(offset, buffer.length - width);
  }
}

function checkWidth(width) {
  if (width === undefined) throw new codes.ERR_INVALID_ARG_TYPE('byteLength', 'number', width);
  if (!(width === 1 || width === 2 || width === 3 || width === 4 || width === 5 || width === 6)) {
    outOfBounds(width, 6, 'byteLength');
  }
}

function rangeText(min, max, width) {
  const n = typeof min === 'bigint' ? 'n' : '';
  if (width <= 4) return `>= ${min}${n} and <= ${max}${n}`;
  if (!min) return `>= 0${n} and < 2${n} ** ${width * 8}${n}`;
  return `>= -(2${n} ** ${width * 8 - 1}${n}) and < 2${n} ** ${width * 8 - 1}${n}`;
}

function checkValue(value, min, max, width) {
  if (value > max || value < min) throw new codes.ERR_OUT_OF_RANGE('value', rangeText(min, max, width), value);
}

// Reads 1 to 6 bytes as unsigned. It multiplies, because shifts are limited to 32 bits.
function readUnsigned(buffer, offset, width, little) {
  let value = 0;
  if (little) for (let i = width - 1; i >= 0; i--) value = value * 256 + buffer[offset + i];
  else for (let i = 0; i < width; i++) value = value * 256 + buffer[offset + i];
  return value;
}

function writeInteger(buffer, value, offset, width, little) {
  let rest = value;
  for (let i = 0; i < width; i++) {
    buffer[little ? offset + i : offset + width - 1 - i] = rest;
    rest = Math.floor(rest / 256);
  }
  return offset + width;
}

const limitsOf = (width, signed) => (signed ?
  [-(2 ** (8 * width - 1)), 2 ** (8 * width - 1) - 1] : [0, 2 ** (8 * width) - 1]);

function toSigned(value, width) {
  return value >= 2 ** (8 * width - 1) ? value - 2 ** (8 * width) : value;
}

const methods = {};

function define(name, fn) {
  Object.defineProperty(fn, 'name', { value: name });
  methods[name] = fn;
  // readUInt8 is also readUint8.
  if (name.includes('UInt')) methods[name.replace('UInt', 'Uint')] = fn;
}

function defineFixed(width, signed, little, suffix) {
  const type = `${signed ? 'Int' : 'UInt'}${width * 8}${suffix}`;
  const [min, max] = limitsOf(width, signed);
  define(`read${type}`, function (offset = 0) {
    checkOffset(this, offset, width);
    const value = readUnsigned(this, offset, width, little);
    return signed ? toSigned(value, width) : value;
  });
  define(`write${type}`, function (value, offset = 0) {
    value = +value;
    checkValue(value, min, max, width);
    checkOffset(this, offset, width);
    return writeInteger(this, Number.isNaN(value) ? 0 : Math.trunc(value), offset, width, little);
  });
}

function defineVariable(signed, little, suffix) {
  const type = `${signed ? 'Int' : 'UInt'}${suffix}`;
  define(`read${type}`, function (offset, width) {
    if (offset === undefined) throw new codes.ERR_INVALID_ARG_TYPE('offset', 'number', offset);
    checkWidth(width);
    checkOffset(this, offset, width);
    const value = readUnsigned(this, offset, width, little);
    return signed ? toSigned(value, width) : value;
  });
  define(`write${type}`, function (value, offset, width) {
    checkWidth(width);
    value = +value;
    const [min, max] = limitsOf(width, signed);
    checkValue(value, min, max, width);
    checkOffset(this, offset, width);
    return writeInteger(this, Number.isNaN(value) ? 0 : Math.trunc(value), offset, width, little);
  });
}

function defineBig(signed, little, suffix) {
  const type = `Big${signed ? 'Int' : 'UInt'}64${suffix}`;
  const min = signed ? -(2n ** 63n) : 0n;
  const max = signed ? 2n ** 63n - 1n : 2n ** 64n - 1n;
  define(`read${type}`, function (offset = 0) {
    checkOffset(this, offset, 8);
    const first = BigInt(readUnsigned(this, offset, 4, little));
    const second = BigInt(readUnsigned(this, offset + 4, 4, little));
    const value = little ? (second << 32n) + first : (first << 32n) + second;
    return signed ? BigInt.asIntN(64, value) : value;
  });
  define(`write${type}`, function (value, offset = 0) {
    if (typeof value !== 'bigint') throw new TypeError('Cannot mix BigInt and other types, use explicit conversions');
    checkValue(value, min, max, 8);
    checkOffset(this, offset, 8);
    const bits = BigInt.asUintN(64, value);
    const low = Number(bits & 0xffffffffn);
    const high = Number(bits >> 32n);
    writeInteger(this, little ? low : high, offset, 4, little);
    return writeInteger(this, little ? high : low, offset + 4, 4, little);
  });
}

function defineFloat(name, cell, width, little) {
  const suffix = little ? 'LE' : 'BE';
  const at = (offset, i) => (little ? offset + i : offset + width - 1 - i);
  define(`read${name}${suffix}`, function (offset = 0) {
    checkOffset(this, offset, width);
    for (let i = 0; i < width; i++) floatBytes[i] = this[at(offset, i)];
    return cell[0];
  });
  define(`write${name}${suffix}`, function (value, offset = 0) {
    value = +value;
    checkOffset(this, offset, width);
    cell[0] = value;
    for (let i = 0; i < width; i++) this[at(offset, i)] = floatBytes[i];
    return offset + width;
  });
}

for (const signed of [false, true]) {
  defineFixed(1, signed, true, '');
  for (const little of [true, false]) {
    const suffix = little ? 'LE' : 'BE';
    defineFixed(2, signed, little, suffix);
    defineFixed(4, signed, little, suffix);
    defineVariable(signed, little, suffix);
    defineBig(signed, little, suffix);
  }
}
for (const little of [true, false]) {
  defineFloat('Float', float32, 4, little);
  defineFloat('Double', float64, 8, little);
}

module.exports = { methods };
