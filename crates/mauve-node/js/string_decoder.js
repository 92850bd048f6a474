// StringDecoder: text from bytes that come in pieces. Bytes of a character that
// is not complete yet wait for the next piece.

const { codes } = require('internal/errors');
const encodings = require('internal/buffer/encodings');
const { announcedUtf8 } = require('internal/utf8');
const { Buffer } = require('internal/buffer/class');

function join(first, second) {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}

class StringDecoder {
  constructor(encoding) {
    const codec = encoding === undefined || encoding === null || encoding === '' ?
      encodings.utf8 : encodings.find(encoding);
    if (codec === undefined) throw new codes.ERR_UNKNOWN_ENCODING(encoding);
    this.encoding = codec.name;
    Object.defineProperties(this, {
      codec: { value: codec, enumerable: false },
      held: { value: new Uint8Array(0), writable: true, enumerable: false },
    });
  }

  // How many bytes at the end of `bytes` are not a whole character.
  #incomplete(bytes) {
    switch (this.encoding) {
      case 'utf8': return announcedUtf8(bytes);
      case 'utf16le':
        if (bytes.length % 2 === 1) return 1;
        // A first surrogate waits for its second.
        return bytes.length >= 2 && (bytes[bytes.length - 1] & 0xfc) === 0xd8 ? 2 : 0;
      case 'base64':
      case 'base64url': return bytes.length % 3;
      default: return 0;
    }
  }

  write(chunk) {
    if (typeof chunk === 'string') return chunk;
    if (!ArrayBuffer.isView(chunk)) {
      throw new codes.ERR_INVALID_ARG_TYPE('buf', ['Buffer', 'TypedArray', 'DataView'], chunk);
    }
    let bytes = new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let before = '';
    if (this.held.length > 0) {
      if (this.encoding === 'utf16le') {
        // A unit completed here is given out, even half of a pair.
        const missing = this.lastNeed;
        const character = join(this.held, bytes.subarray(0, missing));
        if (bytes.length < missing) {
          this.held = character;
          return '';
        }
        before = this.codec.toText(character, 0, character.length);
        bytes = bytes.subarray(missing);
      } else {
        bytes = join(this.held, bytes);
      }
    }
    const complete = bytes.length - this.#incomplete(bytes);
    this.held = bytes.slice(complete);
    return complete === 0 ? before : before + this.codec.toText(bytes, 0, complete);
  }

  end(chunk) {
    let text = chunk === undefined ? '' : this.write(chunk);
    if (this.held.length > 0) {
      // An odd last byte of UTF-16 is dropped.
      const usable = this.encoding === 'utf16le' ? this.held.length & ~1 : this.held.length;
      if (usable > 0) text += this.codec.toText(this.held, 0, usable);
      this.held = new Uint8Array(0);
    }
    return text;
  }

  text(chunk, offset) {
    this.held = new Uint8Array(0);
    return this.write(chunk.subarray(offset));
  }

  get lastChar() {
    return Buffer.from(this.held);
  }

  get lastNeed() {
    return this.lastTotal === 0 ? 0 : this.lastTotal - this.held.length;
  }

  get lastTotal() {
    if (this.held.length === 0) return 0;
    if (this.encoding === 'utf8') return this.held[0] >= 0xf0 ? 4 : this.held[0] >= 0xe0 ? 3 : 2;
    if (this.encoding === 'utf16le') return this.held.length >= 2 ? 4 : 2;
    return 3;
  }
}
for (const key of ['write', 'end', 'text', 'lastChar', 'lastNeed', 'lastTotal']) {
  Object.defineProperty(StringDecoder.prototype, key, { enumerable: true });
}

module.exports = { StringDecoder };
