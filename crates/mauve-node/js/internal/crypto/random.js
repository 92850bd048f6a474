// Random bytes, integers and UUIDs, and comparison in constant time.
const { codes, setStackHeader, uvException } = require('internal/errors');
const { VIEWS, bytesOf, toBuffer } = require('internal/crypto/bytes');
const { isTypedArray } = require('internal/util/types');
const { validateBoolean, validateFunction, validateNumber, validateObject } = require('internal/validators');
const native = binding('crypto');
const MAX_SIZE = 2 ** 31 - 1;
const MAX_RANGE = 2 ** 48 - 1;

function checkRange(value, name, max) {
  validateNumber(value, name);
  if (!(value >= 0 && value <= max)) throw new codes.ERR_OUT_OF_RANGE(name, `>= 0 && <= ${max}`, value);
  return value >>> 0;
}

// Runs on the thread pool, and passes the random bytes to `convert` for the result.
function randomAsync(size, callback, convert) {
  native.randomBytes(size, (errno, bytes) => {
    if (errno === 0) callback(null, convert(bytes));
    else callback(uvException({ errno, syscall: 'getrandom' }));
  });
}

function randomBytes(size, callback) {
  const checked = checkRange(size, 'size', MAX_SIZE);
  if (callback === undefined) return toBuffer(native.randomBytes(checked));
  validateFunction(callback, 'callback');
  randomAsync(checked, callback, toBuffer);
}

function checkBuffer(buf) { if (!bytesOf(buf)) throw new codes.ERR_INVALID_ARG_TYPE('buf', ['ArrayBuffer', 'ArrayBufferView'], buf); }

// The part of a buffer that is to be filled. Offset and size count elements.
function part(buf, offset, size) {
  const unit = buf.BYTES_PER_ELEMENT ?? 1;
  const bytes = bytesOf(buf);
  validateNumber(offset, 'offset');
  const start = checkRange(offset * unit, 'offset', Math.min(bytes.length, MAX_SIZE));
  if (size === undefined) return bytes.subarray(start);
  validateNumber(size, 'size');
  const length = checkRange(size * unit, 'size', MAX_SIZE);
  const end = start + length;
  if (end > bytes.length) throw new codes.ERR_OUT_OF_RANGE('size + offset', `<= ${bytes.length}`, end);
  return bytes.subarray(start, end);
}

function randomFillSync(buf, offset = 0, size = undefined) {
  checkBuffer(buf);
  const target = part(buf, offset, size);
  target.set(native.randomBytes(target.length));
  return buf;
}

function randomFill(buf, offset, size, callback) {
  checkBuffer(buf);
  const at = [offset, size, callback].findIndex((value) => typeof value === 'function');
  const done = [offset, size, callback][at];
  validateFunction(done, 'callback');
  const target = part(buf, at < 1 ? 0 : offset, at < 2 ? undefined : size);
  randomAsync(target.length, done, (bytes) => {
    target.set(bytes);
    return buf;
  });
}

function randomInt(min, max, callback) {
  const isShort = max === undefined || typeof max === 'function';
  const [low, high, done] = isShort ? [0, min, max] : [min, max, callback];
  if (done !== undefined) validateFunction(done, 'callback');
  if (!Number.isSafeInteger(low)) throw new codes.ERR_INVALID_ARG_TYPE('min', 'a safe integer', low);
  if (!Number.isSafeInteger(high)) throw new codes.ERR_INVALID_ARG_TYPE('max', 'a safe integer', high);
  if (high <= low) throw new codes.ERR_OUT_OF_RANGE('max', `greater than the value of "min" (${low})`, high);
  const range = high - low;
  if (range > MAX_RANGE) throw new codes.ERR_OUT_OF_RANGE(isShort ? 'max' : 'max - min', `<= ${MAX_RANGE}`, range);
  const value = low + native.randomBelow(range);
  if (done === undefined) return value;
  process.nextTick(done, undefined, value);
}

function randomUUID(options) {
  if (options !== undefined) validateObject(options, 'options');
  validateBoolean(options?.disableEntropyCache ?? false, 'options.disableEntropyCache');
  return native.randomUUID();
}

function getRandomValues(array) {
  const fail = (name, message) => { throw new (require('internal/dom_exception').DOMException)(message, name); };
  const isInteger = isTypedArray(array) && !array[Symbol.toStringTag].startsWith('Float');
  if (!isInteger) fail('TypeMismatchError', 'The data argument must be an integer-type TypedArray');
  if (array.byteLength > 65536) fail('QuotaExceededError', 'The requested length exceeds 65,536 bytes');
  return randomFillSync(array);
}

function timingSafeEqual(...args) {
  const [a, b] = [0, 1].map((index) => {
    const bytes = bytesOf(args[index]);
    if (bytes !== undefined) return bytes;
    const error = new codes.ERR_INVALID_ARG_TYPE(`buf${index + 1}`, VIEWS, args[index]);
    error.message = error.message.replace(/\. Received .*/s, '.');
    setStackHeader(error, error.toString());
    throw error;
  });
  if (a.length !== b.length) throw new codes.ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH();
  return native.isEqual(a, b);
}

module.exports = { getRandomValues, randomBytes, randomFill, randomFillSync, randomInt, randomUUID, timingSafeEqual };
