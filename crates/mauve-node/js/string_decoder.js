// StringDecoder: decodes bytes in chunks. The bytes of an incomplete character are kept for the next chunk.
const { codes } = require('internal/errors');
const encodings = require('internal/buffer/encodings');
const { Buffer } = require('internal/buffer/class');
const natives = binding('buffer');

// Not a class, because subclasses may call it as a function.
function StringDecoder(encoding) {
  const codec = encoding === undefined || encoding === null || encoding === '' ?
    encodings.utf8 : encodings.find(encoding);
  if (codec === undefined) throw new codes.ERR_UNKNOWN_ENCODING(encoding);
  this.encoding = codec.name;
  Object.defineProperties(this, {
    codec: { value: codec, enumerable: false },
    pending: { value: new Uint8Array(0), writable: true, enumerable: false },
  });
}

const methods = {
  write(chunk) {
    if (typeof chunk === 'string') return chunk;
    if (this?.pending === undefined) throw new codes.ERR_INVALID_THIS('StringDecoder');
    if (!ArrayBuffer.isView(chunk)) throw new codes.ERR_INVALID_ARG_TYPE('buf', ['Buffer', 'TypedArray', 'DataView'], chunk);
    let bytes = new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let before = '';
    if (this.pending.length > 0) {
      if (this.encoding === 'utf16le') {
        // A completed code unit is returned, even a lone surrogate.
        const missing = this.lastNeed;
        const character = Buffer.concat([this.pending, bytes.subarray(0, missing)]);
        if (bytes.length < missing) {
          this.pending = character;
          return '';
        }
        before = this.codec.toText(character, 0, character.length);
        bytes = bytes.subarray(missing);
      } else {
        bytes = Buffer.concat([this.pending, bytes]);
      }
    }
    const complete = bytes.length - natives.incomplete(this.encoding, bytes);
    this.pending = bytes.slice(complete);
    return complete === 0 ? before : before + this.codec.toText(bytes, 0, complete);
  },

  end(chunk) {
    let text = chunk === undefined ? '' : this.write(chunk);
    if (this.pending.length > 0) {
      // An odd last byte of UTF-16 is dropped.
      const usable = this.encoding === 'utf16le' ? this.pending.length & ~1 : this.pending.length;
      if (usable > 0) text += this.codec.toText(this.pending, 0, usable);
      this.pending = new Uint8Array(0);
    }
    return text;
  },

  text(chunk, offset) {
    this.pending = new Uint8Array(0);
    return this.write(chunk.subarray(offset));
  },

  get lastChar() {
    // Four bytes; the rest is zero.
    return Buffer.concat([this.pending], 4);
  },

  get lastNeed() { return this.lastTotal === 0 ? 0 : this.lastTotal - this.pending.length; },

  get lastTotal() {
    if (this.pending.length === 0) return 0;
    if (this.encoding === 'utf8') return this.pending[0] >= 0xf0 ? 4 : this.pending[0] >= 0xe0 ? 3 : 2;
    if (this.encoding === 'utf16le') return this.pending.length >= 2 ? 4 : 2;
    return 3;
  },
};

Object.defineProperties(StringDecoder.prototype, Object.getOwnPropertyDescriptors(methods));

module.exports = { StringDecoder };
