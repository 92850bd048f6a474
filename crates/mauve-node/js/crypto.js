// The module 'crypto': hashes, random values, derived keys and the digests of Web Crypto. The rest of Node's throws.
const hashes = require('internal/crypto/hash');
const random = require('internal/crypto/random');
const { deprecate } = require('internal/util/wrappers');

const own = {
  ...hashes,
  ...random,
  ...require('internal/crypto/derive'),
  getFips: () => 0,
  get webcrypto() { return require('internal/crypto/webcrypto').crypto; },
  get subtle() { return own.webcrypto.subtle; },
  Hash: deprecate(hashes.Hash, 'crypto.Hash constructor is deprecated.', 'DEP0179'),
  Hmac: deprecate(hashes.Hmac, 'crypto.Hmac constructor is deprecated.', 'DEP0181'),
};
for (const name of ['prng', 'pseudoRandomBytes', 'rng']) {
  Object.defineProperty(own, name, { value: random.randomBytes, writable: true, enumerable: false, configurable: true });
}

module.exports = require('internal/stand_in')('crypto', own);
