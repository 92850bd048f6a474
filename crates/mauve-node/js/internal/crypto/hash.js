// Hashes and HMACs, which are streams, too.
const { Buffer } = require('buffer');
const { codes } = require('internal/errors');
const { toBuffer, toBytes } = require('internal/crypto/bytes');
const { validateEncoding, validateObject, validateString, validateUint32 } = require('internal/validators');
const { Transform } = require('stream');
const native = binding('crypto');
const kHandle = Symbol('kHandle');
const kIsFinalized = Symbol('kIsFinalized');
const DATA = ['string', 'Buffer', 'TypedArray', 'DataView'];
const KEY = ['string', 'ArrayBuffer', 'Buffer', 'TypedArray', 'DataView', 'KeyObject', 'CryptoKey'];

function dataBytes(data, name, encoding) {
  if (typeof data === 'string') validateEncoding(data, encoding);
  else if (!ArrayBuffer.isView(data)) throw new codes.ERR_INVALID_ARG_TYPE(name, DATA, data);
  return toBytes(data, name, DATA, encoding);
}

// Bytes in an encoding, or a Buffer.
const encoded = (bytes, encoding) =>
  (Buffer.isEncoding(encoding) ? toBuffer(bytes).toString(encoding) : toBuffer(bytes));

// Most hashes are never used as streams. So their streams are created when something reads their states.
const lazyTransform = Object.create(Transform.prototype);
const STATES = ['_readableState', '_writableState'];
for (const name of STATES) {
  Object.defineProperty(lazyTransform, name, {
    get() {
      // While the stream is created, the states are undefined.
      for (const own of STATES) Object.defineProperty(this, own, { value: undefined, writable: true, enumerable: true });
      Transform.call(this, { ...this._options, decodeStrings: false });
      return this[name];
    },
  });
}

function start(self, handle, options) {
  self._options = options;
  self[kHandle] = handle;
  self[kIsFinalized] = false;
  return self;
}

function inheritStream(Class, more) {
  Object.setPrototypeOf(Class.prototype, lazyTransform);
  Object.setPrototypeOf(Class, Transform);
  Object.assign(Class.prototype, {
    update(data, encoding) {
      checkIsOpen(this);
      this[kHandle].update(dataBytes(data, 'data', encoding));
      return this;
    },
    _transform(chunk, encoding, callback) {
      this[kHandle].update(toBytes(chunk, 'chunk', DATA, encoding));
      callback();
    },
    _flush(callback) { callback(null, toBuffer(this[kHandle].digest())); },
  }, more);
}

function finish(self, encoding) {
  self[kIsFinalized] = true;
  return encoded(self[kHandle].digest(), encoding);
}

function checkIsOpen(self) { if (self[kIsFinalized]) throw new codes.ERR_CRYPTO_HASH_FINALIZED(); }

function Hash(algorithm, options) {
  if (!new.target) return new Hash(algorithm, options);
  if (algorithm?.[kHandle]) return start(this, algorithm[kHandle].copy(), options);
  validateString(algorithm, 'algorithm');
  const size = native.digestSize(algorithm);
  if (options?.outputLength !== undefined) validateUint32(options.outputLength, 'options.outputLength');
  if (size === undefined) throw new Error('Digest method not supported');
  if ((options?.outputLength ?? size) !== size) {
    const [library, reason] = ['digital envelope routines', 'not XOF or invalid length'];
    throw Object.assign(new Error(`error:030000B2:${library}::${reason}`),
      { library, reason, code: 'ERR_OSSL_EVP_NOT_XOF_OR_INVALID_LENGTH' });
  }
  return start(this, native.createHash(algorithm, undefined), options);
}
inheritStream(Hash, {
  copy(options) {
    checkIsOpen(this);
    return new Hash(this, options);
  },
  digest(encoding) {
    checkIsOpen(this);
    return finish(this, encoding);
  },
});

function Hmac(hmac, key, options) {
  if (!new.target) return new Hmac(hmac, key, options);
  validateString(hmac, 'hmac');
  const bytes = toBytes(key, 'key', KEY, options?.encoding);
  if (native.digestSize(hmac) === undefined) throw new codes.ERR_CRYPTO_INVALID_DIGEST(hmac);
  start(this, native.createHash(hmac, bytes), options);
}
inheritStream(Hmac, {
  // A second digest is empty, as in Node.
  digest(encoding) { return this[kIsFinalized] ? encoded(new Uint8Array(0), encoding) : finish(this, encoding); },
});

function hash(algorithm, input, options) {
  validateString(algorithm, 'algorithm');
  const bytes = dataBytes(input, 'input');
  if (options !== undefined && typeof options !== 'string') validateObject(options, 'options');
  const { outputEncoding = 'hex', outputLength } =
    typeof options === 'string' ? { outputEncoding: options } : options ?? {};
  if (outputLength !== undefined) validateUint32(outputLength, 'outputLength');
  const isKnown = outputEncoding === 'buffer' || Buffer.isEncoding(outputEncoding);
  if (!isKnown) throw new codes.ERR_INVALID_ARG_VALUE('outputEncoding', outputEncoding);
  const size = native.digestSize(algorithm);
  if (size === undefined) throw new Error(`Digest method ${algorithm} is not supported`);
  if ((outputLength ?? size) !== size) throw new Error(`Output length ${outputLength} is invalid for ${algorithm}, which does not support XOF`);
  return encoded(native.digest(algorithm, undefined, bytes), outputEncoding);
}

module.exports = {
  Hash, Hmac, hash,
  createHash: function createHash(algorithm, options) { return new Hash(algorithm, options); },
  createHmac: function createHmac(hmac, key, options) { return new Hmac(hmac, key, options); },
  getHashes: () => native.hashes(),
};
