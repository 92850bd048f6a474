// Buffer's methods that read and write numbers. Those with a fixed width use a DataView.
const { codes } = require('internal/errors');

function outOfBounds(value, limit, name = 'offset') {
  if (typeof value !== 'number') throw new codes.ERR_INVALID_ARG_TYPE(name, 'number', value);
  if (Math.floor(value) !== value) throw new codes.ERR_OUT_OF_RANGE(name, 'an integer', value);
  if (limit < 0) throw new codes.ERR_BUFFER_OUT_OF_BOUNDS();
  throw new codes.ERR_OUT_OF_RANGE(name, `>= ${name === 'offset' ? 0 : 1} and <= ${limit}`, value);
}

function checkOffset(buffer, offset, width) {
  if (typeof offset !== 'number') throw new codes.ERR_INVALID_ARG_TYPE('offset', 'number', offset);
  if (buffer[offset] === undefined || buffer[offset + width - 1] === undefined) outOfBounds(offset, buffer.length - width);
}

function checkWidth(width) {
  if (width === undefined) throw new codes.ERR_INVALID_ARG_TYPE('byteLength', 'number', width);
  if (!(width === 1 || width === 2 || width === 3 || width === 4 || width === 5 || width === 6)) outOfBounds(width, 6, 'byteLength');
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

const methods = {};

function define(name, fn, shown = name) {
  Object.defineProperty(fn, 'name', { value: shown });
  methods[name] = fn;
  // readUInt8 is also readUint8.
  if (name.includes('UInt')) methods[name.replace('UInt', 'Uint')] = fn;
}

const viewOf = ({ buffer, byteOffset, byteLength }) => new DataView(buffer, byteOffset, byteLength);

// `accessor` is the name of the type in methods of DataView.
function defineFixed(type, accessor, width, [min, max], little) {
  const isBig = typeof min === 'bigint';
  const [get, set] = [`get${accessor}`, `set${accessor}`];
  const read = (buffer, offset) => {
    checkOffset(buffer, offset, width);
    return viewOf(buffer)[get](offset, little);
  };
  // As in Node, those of integers have no name.
  if (Number.isInteger(min)) define(`read${type}`, function (offset) { return read(this, offset ?? 0); }, '');
  else define(`read${type}`, function (offset = 0) { return read(this, offset); });
  define(`write${type}`, function (value, offset = 0) {
    if (!isBig) value = +value;
    checkValue(value, min, max, width);
    checkOffset(this, offset, width);
    if (isBig && typeof value !== 'bigint') throw new TypeError('Cannot mix BigInt and other types, use explicit conversions');
    viewOf(this)[set](offset, value, little);
    return offset + width;
  });
}

function defineVariable(type, signed, little) {
  define(`read${type}`, function (offset, width) {
    if (offset === undefined) throw new codes.ERR_INVALID_ARG_TYPE('offset', 'number', offset);
    checkWidth(width);
    checkOffset(this, offset, width);
    const value = readUnsigned(this, offset, width, little);
    return signed && value >= 2 ** (8 * width - 1) ? value - 2 ** (8 * width) : value;
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

const BIG_LIMITS = { Int: [-(2n ** 63n), 2n ** 63n - 1n], UInt: [0n, 2n ** 64n - 1n] };
const NO_LIMITS = [-Infinity, Infinity];

for (const [type, accessor] of [['Int', 'Int'], ['UInt', 'Uint']]) {
  const signed = type === 'Int';
  defineFixed(`${type}8`, `${accessor}8`, 1, limitsOf(1, signed));
  for (const suffix of ['LE', 'BE']) {
    const little = suffix === 'LE';
    for (const width of [2, 4]) {
      const bits = 8 * width;
      defineFixed(`${type}${bits}${suffix}`, `${accessor}${bits}`, width, limitsOf(width, signed), little);
    }
    defineFixed(`Big${type}64${suffix}`, `Big${accessor}64`, 8, BIG_LIMITS[type], little);
    defineVariable(type + suffix, signed, little);
  }
}
for (const suffix of ['LE', 'BE']) {
  defineFixed(`Float${suffix}`, 'Float32', 4, NO_LIMITS, suffix === 'LE');
  defineFixed(`Double${suffix}`, 'Float64', 8, NO_LIMITS, suffix === 'LE');
}

module.exports = { methods };
