// Web Crypto: random values and digests. The rest throws.
const { codes, refuse, webidlError } = require('internal/errors');
const { bytesOf } = require('internal/crypto/bytes');
const { DOMException } = require('internal/dom_exception');
const { defineWebClass } = require('internal/util/web_class');
const random = require('internal/crypto/random');
const native = binding('crypto');
const kCreate = Symbol('create');
const HASHES = ['SHA-1', 'SHA-256', 'SHA-384', 'SHA-512', 'SHA3-256', 'SHA3-384', 'SHA3-512'];

// A class that scripts cannot construct.
class Illegal {
  constructor(key) { if (key !== kCreate) throw new codes.ERR_ILLEGAL_CONSTRUCTOR(); }
}

function checkThis(self, Class) { if (!(self instanceof Class)) throw new codes.ERR_INVALID_THIS(Class.name); }

function hashName(algorithm) {
  const isObject = typeof algorithm === 'object' && algorithm !== null;
  if (isObject && algorithm.name === undefined) {
    throw new codes.ERR_MISSING_OPTION('Failed to normalize algorithm: passed algorithm cannot be converted to ' +
      "'Algorithm' because 'name' is required in 'Algorithm'.");
  }
  const name = `${isObject ? algorithm.name : algorithm}`.toUpperCase();
  if (!HASHES.includes(name)) throw new DOMException('Unrecognized algorithm name', 'NotSupportedError');
  return name;
}

class CryptoKey extends Illegal {}
class SubtleCrypto extends Illegal {
  async digest(algorithm, data) {
    checkThis(this, SubtleCrypto);
    const bytes = bytesOf(data)?.slice();
    if (bytes === undefined) {
      throw webidlError("Failed to execute 'digest' on 'SubtleCrypto': 2nd argument is not instance of ArrayBuffer, " +
        'Buffer, TypedArray, or DataView.');
    }
    const { promise, resolve } = Promise.withResolvers();
    native.digest(hashName(algorithm), undefined, bytes, (errno, digest) => resolve(digest.buffer));
    return promise;
  }
}
refuse(SubtleCrypto.prototype, 'SubtleCrypto', ['encrypt', 'decrypt', 'sign', 'verify', 'generateKey', 'importKey', 'exportKey',
  'deriveKey', 'deriveBits', 'wrapKey', 'unwrapKey', 'getPublicKey', 'encapsulateBits', 'encapsulateKey', 'decapsulateBits',
  'decapsulateKey']);
class Crypto extends Illegal {
  subtle = new SubtleCrypto(kCreate);
  getRandomValues(array) {
    checkThis(this, Crypto);
    return random.getRandomValues(array);
  }

  randomUUID(options) {
    checkThis(this, Crypto);
    return random.randomUUID(options);
  }
}
defineWebClass(CryptoKey, []);
defineWebClass(SubtleCrypto, ['digest']);
defineWebClass(Crypto, ['getRandomValues', 'randomUUID']);

const crypto = new Crypto(kCreate);
Object.defineProperty(crypto, 'subtle', { enumerable: false });
module.exports = { Crypto, CryptoKey, SubtleCrypto, crypto };
