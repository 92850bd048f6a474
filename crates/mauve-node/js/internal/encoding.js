// TextEncoder and TextDecoder: UTF-8, UTF-16 and Latin-1.
const { codes } = require('internal/errors');
const { validateObject } = require('internal/validators');
const types = require('internal/util/types');
const encodings = require('internal/buffer/encodings');
const { customInspectSymbol, defineWebClass } = require('internal/util/web_class');
const natives = binding('buffer');

function bytesOf(input) {
  if (input === undefined) return new Uint8Array(0);
  if (types.isAnyArrayBuffer(input)) return new Uint8Array(input);
  if (ArrayBuffer.isView(input)) return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  throw Object.assign(new TypeError(
    'The "list" argument must be an instance of SharedArrayBuffer, ArrayBuffer or ArrayBufferView.'),
  { code: 'ERR_INVALID_ARG_TYPE' });
}

class TextEncoder {
  get encoding() { return 'utf-8'; }
  encode(input = '') { return encodings.utf8.toBytes(`${input}`); }

  encodeInto(source, target) {
    require('internal/validators').validateString(source, 'src');
    if (!types.isUint8Array(target)) throw new codes.ERR_INVALID_ARG_TYPE('dest', 'Uint8Array', target);
    const bytes = encodings.utf8.toBytes(source);
    let written = Math.min(bytes.length, target.length);
    if (written < bytes.length) while (written > 0 && (bytes[written] & 0xc0) === 0x80) written -= 1;
    const part = bytes.subarray(0, written);
    target.set(part);
    return { read: natives.utf8Decode(part, 0, written).length, written };
  }

  [customInspectSymbol](depth, options, inspect) {
    if (typeof depth === 'number' && depth < 0) return this;
    return inspect({ encoding: this.encoding }, options);
  }
}

class TextDecoder {
  #encoding;
  #fatal;
  #ignoreBOM;
  #pending = new Uint8Array(0);
  #bomSeen = false;

  constructor(encoding = 'utf-8', options = {}) {
    const name = natives.findEncoding(`${encoding}`);
    validateObject(options, 'options', { allowArray: true, allowFunction: true, nullable: true });
    if (name === undefined) throw new codes.ERR_ENCODING_NOT_SUPPORTED(encoding);
    this.#encoding = name;
    this.#fatal = Boolean(options?.fatal);
    this.#ignoreBOM = Boolean(options?.ignoreBOM);
  }

  get encoding() { return this.#encoding; }
  get fatal() { return this.#fatal; }
  get ignoreBOM() { return this.#ignoreBOM; }

  decode(input = undefined, options = {}) {
    let bytes = bytesOf(input);
    validateObject(options, 'options', { allowArray: true, allowFunction: true, nullable: true });
    if (this.#pending.length > 0) {
      const joined = new Uint8Array(this.#pending.length + bytes.length);
      joined.set(this.#pending);
      joined.set(bytes, this.#pending.length);
      bytes = joined;
    }
    const stream = Boolean(options?.stream);
    let end = bytes.length;
    if (stream) end -= this.#encoding === 'utf-8' ? natives.incompleteUtf8(bytes.subarray(-3)) : this.#incompleteUtf16(bytes);
    this.#pending = bytes.slice(end);
    let text = this.#text(bytes.subarray(0, end));
    if (!this.#bomSeen && text.length > 0) {
      if (!this.#ignoreBOM && this.#encoding !== 'windows-1252' && text.charCodeAt(0) === 0xfeff) text = text.slice(1);
      this.#bomSeen = true;
    }
    if (!stream) this.#bomSeen = false;
    return text;
  }

  #incompleteUtf16(bytes) {
    if (this.#encoding !== 'utf-16le') return 0;
    const odd = bytes.length % 2;
    const last = bytes.length - odd;
    return last >= 2 && (bytes[last - 1] & 0xfc) === 0xd8 ? odd + 2 : odd;
  }

  #text(bytes) {
    if (this.#encoding === 'windows-1252') return natives.windows1252Decode(bytes);
    if (this.#encoding === 'utf-8') {
      if (!this.#fatal) return natives.utf8Decode(bytes, 0, bytes.length);
      const text = natives.utf8DecodeStrict(bytes);
      if (typeof text === 'string') return text;
      return this.#fail();
    }
    const odd = bytes.length % 2;
    const text = encodings.get('utf16le').toText(bytes, 0, bytes.length - odd);
    if (this.#fatal && (odd !== 0 || !text.isWellFormed())) return this.#fail();
    // An odd byte after a lone surrogate counts as one error.
    const endsInSurrogate = /[\ud800-\udbff]$/.test(text);
    return text.toWellFormed() + (odd === 0 || endsInSurrogate ? '' : '\ufffd');
  }

  #fail() {
    this.#pending = new Uint8Array(0);
    this.#bomSeen = false;
    const error = new codes.ERR_ENCODING_INVALID_ENCODED_DATA(this.#encoding, undefined);
    delete error.errno;
    throw error;
  }

  [customInspectSymbol](depth, options, inspect) {
    if (typeof depth === 'number' && depth < 0) return this;
    const { encoding, fatal, ignoreBOM } = this;
    return `TextDecoder ${inspect({ encoding, fatal, ignoreBOM }, options)}`;
  }
}

defineWebClass(TextEncoder, ['encoding', 'encode', 'encodeInto']);
defineWebClass(TextDecoder, ['encoding', 'fatal', 'ignoreBOM', 'decode']);

module.exports = { TextDecoder, TextEncoder };
