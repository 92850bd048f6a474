// The module 'buffer'.
const { Buffer, MAX_LENGTH } = require('internal/buffer/class');
const { codes } = require('internal/errors');
const types = require('internal/util/types');
const encodings = require('internal/buffer/encodings');
const { checkBytes } = require('internal/buffer/methods');
const natives = binding('buffer');
const MAX_STRING_LENGTH = 2 ** 29 - 24;
let inspectMaxBytes = 50;

function SlowBuffer(length) { return Buffer.allocUnsafeSlow(length); }
Object.setPrototypeOf(SlowBuffer.prototype, Uint8Array.prototype);
Object.setPrototypeOf(SlowBuffer, Uint8Array);

function domException(message) {
  const { DOMException } = require('internal/dom_exception');
  return new DOMException(message, 'InvalidCharacterError');
}

function btoa(input) {
  if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('input');
  const text = `${input}`;
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) > 255) throw domException('Invalid character');
  }
  return Buffer.from(text, 'latin1').toString('base64');
}

function atob(input) {
  if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('input');
  const text = `${input}`.replace(/[\t\n\f\r ]/g, '');
  if (/[^A-Za-z0-9+/=]/.test(text)) throw domException('Invalid character');
  const body = text.length % 4 === 0 ? text.replace(/={1,2}$/, '') : text;
  if (body.includes('=') || body.length % 4 === 1) throw domException('The string to be decoded is not correctly encoded.');
  return Buffer.from(body, 'base64').toString('latin1');
}

function transcode(source, fromEncoding, toEncoding) {
  checkBytes(source, 'source');
  if (source.length === 0) return Buffer.alloc(0);
  const codec = (name) => {
    const found = encodings.find(name ?? 'utf8');
    if (found === undefined || !['utf8', 'utf16le', 'latin1', 'ascii'].includes(found.name)) {
      throw Object.assign(new Error('Unable to transcode Buffer [U_ILLEGAL_ARGUMENT_ERROR]'), { code: 'U_ILLEGAL_ARGUMENT_ERROR', errno: 1 });
    }
    return found;
  };
  const from = codec(fromEncoding);
  const to = codec(toEncoding);
  let text = from.toText(source, 0, source.length);
  const limit = { ascii: 0x7f, latin1: 0xff }[to.name];
  // Characters that the target encoding does not have become "?".
  if (limit !== undefined) text = Array.from(text, (char) => (char.codePointAt(0) > limit ? '?' : char)).join('');
  return Buffer.from(text, to.name);
}

function bytesOf(input) {
  if (input?.detached) throw new codes.ERR_INVALID_STATE('Cannot validate on a detached buffer');
  if (types.isAnyArrayBuffer(input)) return new Uint8Array(input);
  if (types.isTypedArray(input)) return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  throw new codes.ERR_INVALID_ARG_TYPE('input', ['ArrayBuffer', 'Buffer', 'TypedArray'], input);
}

module.exports = {
  Buffer, SlowBuffer, transcode,
  isUtf8: (input) => natives.isUtf8(bytesOf(input)),
  isAscii: (input) => natives.isAscii(bytesOf(input)),
  kMaxLength: MAX_LENGTH,
  kStringMaxLength: MAX_STRING_LENGTH,
  btoa, atob,
};

Object.defineProperties(module.exports, {
  constants: {
    configurable: false,
    enumerable: true,
    value: Object.defineProperties({}, {
      MAX_LENGTH: { value: MAX_LENGTH, enumerable: true },
      MAX_STRING_LENGTH: { value: MAX_STRING_LENGTH, enumerable: true },
    }),
  },
  INSPECT_MAX_BYTES: {
    configurable: true,
    enumerable: true,
    get: () => inspectMaxBytes,
    set(value) {
      require('internal/validators').validateNumber(value, 'INSPECT_MAX_BYTES', 0);
      inspectMaxBytes = value;
    },
  },
});
require('internal/util/getters').defineGetters(module.exports, {
  Blob: () => require('internal/blob').Blob,
  resolveObjectURL: () => require('internal/blob').resolveObjectURL,
  File: () => require('internal/blob').File,
});
