// Blob and File: immutable bytes with a type. The bytes are held in memory.
const { codes, webidlError } = require('internal/errors');
const types = require('internal/util/types');
const { customInspectSymbol, defineWebClass, inspectAs } = require('internal/util/web_class');
const { validateObject } = require('internal/validators');

function bytesOfPart(part, endings) {
  if (part instanceof Blob) return part._bytes();
  if (types.isAnyArrayBuffer(part)) return new Uint8Array(part).slice();
  if (ArrayBuffer.isView(part)) return new Uint8Array(part.buffer, part.byteOffset, part.byteLength).slice();
  let text = `${part}`;
  if (endings === 'native') text = text.replace(/\r\n|\r|\n/g, '\n');
  return require('internal/buffer/encodings').utf8.toBytes(text);
}

function join(parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const normalType = (type) => (/[^\u{0020}-\u{007E}]/u.test(type) ? '' : type.toLowerCase());

class Blob {
  #bytes;
  #type;

  constructor(sources = [], options = {}) {
    if (sources === null || typeof sources[Symbol.iterator] !== 'function' || typeof sources === 'string') {
      throw webidlError('Value cannot be converted to sequence.');
    }
    validateObject(options, 'options', { allowArray: true, allowFunction: true, nullable: true });
    const { type = '', endings = 'transparent' } = options ?? {};
    if (endings !== 'transparent' && endings !== 'native') throw new codes.ERR_INVALID_ARG_VALUE('options.endings', endings);
    this.#bytes = join(Array.from(sources, (part) => bytesOfPart(part, `${endings}`)));
    this.#type = normalType(`${type}`);
  }

  get size() { return this.#bytes.length; }
  get type() { return this.#type; }

  slice(start = 0, end = this.size, type = '') {
    const blob = new Blob([], { type });
    blob.#bytes = this.#bytes.slice(start, end);
    return blob;
  }

  async arrayBuffer() { return this.#bytes.slice().buffer; }
  async bytes() { return new Uint8Array(await this.arrayBuffer()); }
  async text() { return require('internal/buffer/encodings').utf8.toText(this.#bytes, 0, this.#bytes.length); }

  stream() {
    const { ReadableStream } = require('stream/web');
    const bytes = this.#bytes;
    const pull = (controller) => {
      if (bytes.length > 0) controller.enqueue(bytes.slice());
      controller.close();
    };
    return new ReadableStream({ type: 'bytes', pull });
  }

  _bytes() { return this.#bytes; }
  [customInspectSymbol](...args) { return inspectAs(this, 'Blob', { size: this.size, type: this.type }, ...args); }
}
defineWebClass(Blob, ['size', 'type', 'slice', 'stream', 'text', 'bytes', 'arrayBuffer']);
Object.defineProperty(Blob.prototype, '_bytes', { enumerable: false });

class File extends Blob {
  #name;
  #lastModified;

  constructor(bits, name, options = undefined) {
    if (arguments.length < 2) throw new codes.ERR_MISSING_ARGS('fileBits', 'fileName');
    super(bits, options);
    this.#name = `${name}`.toWellFormed();
    const modified = options?.lastModified;
    this.#lastModified = modified === undefined ? Date.now() : Math.trunc(+modified) || 0;
  }

  get name() { return this.#name; }
  get lastModified() { return this.#lastModified; }

  [customInspectSymbol](...args) {
    const { size, type, name, lastModified } = this;
    return inspectAs(this, 'File', { size, type, name, lastModified }, ...args);
  }
}
defineWebClass(File, ['name', 'lastModified']);

// Blobs by their object URLs (URL.createObjectURL).
const objects = new Map();

module.exports = {
  Blob, File, objects,
  resolveObjectURL: (url) => objects.get(`${url}`),
};
