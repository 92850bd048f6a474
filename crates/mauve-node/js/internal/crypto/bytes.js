// The arguments and results of crypto as bytes.
const { Buffer } = require('buffer');
const { codes } = require('internal/errors');
const { isAnyArrayBuffer } = require('internal/util/types');
const VIEWS = ['ArrayBuffer', 'Buffer', 'TypedArray', 'DataView'];

// The bytes of a buffer or a view, not copied. Undefined if it is neither.
function bytesOf(value) {
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return isAnyArrayBuffer(value) ? new Uint8Array(value) : undefined;
}

// The bytes of an argument that may be a string. Others than `types` are refused.
function toBytes(value, name, types = ['string', ...VIEWS], encoding = 'utf8') {
  const isText = typeof value === 'string';
  const bytes = isText ? Buffer.from(value, Buffer.isEncoding(encoding) ? encoding : 'utf8') : bytesOf(value);
  if (bytes === undefined) throw new codes.ERR_INVALID_ARG_TYPE(name, types, value);
  return bytes;
}

const toBuffer = (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

module.exports = { VIEWS, bytesOf, toBuffer, toBytes };
