// Keys derived from passwords: PBKDF2, scrypt and HKDF.
const { codes } = require('internal/errors');
const { toBuffer, toBytes } = require('internal/crypto/bytes');
const { validateFunction, validateInt32, validateInteger, validateString, validateUint32 } =
  require('internal/validators');

const native = binding('crypto');
const HKDF_DATA = ['ArrayBuffer', 'TypedArray', 'DataView', 'Buffer'];
// The callback of the synchronous forms.
const SYNC = () => {};

function checkDigest(name) {
  const size = native.digestSize(name);
  if (size === undefined) throw new codes.ERR_CRYPTO_INVALID_DIGEST(name);
  return size;
}

// Runs a function of the binding: at once, or on the thread pool. OpenSSL refuses to derive no bytes.
function derive(name, args, callback, { convert = toBuffer, isEmpty = false } = {}) {
  const failed = new Error('Deriving bits failed');
  if (callback === SYNC && isEmpty) throw failed;
  if (callback === SYNC) return convert(native[name](...args));
  if (isEmpty) process.nextTick(callback, failed);
  else native[name](...args, (errno, bytes) => (errno === 0 ? callback(null, convert(bytes)) : callback(failed)));
}

function startPbkdf2(callback, password, salt, iterations, keylen, digest) {
  validateString(digest, 'digest');
  const args = [toBytes(password, 'password'), toBytes(salt, 'salt'), iterations, keylen, digest];
  validateInt32(iterations, 'iterations', 1);
  validateInt32(keylen, 'keylen', 0);
  validateFunction(callback, 'callback');
  checkDigest(digest);
  return derive('pbkdf2', args, callback, { isEmpty: keylen === 0 });
}

// The options of scrypt: their two names, and their defaults.
const COSTS = [['N', 'cost', 16384], ['r', 'blockSize', 8], ['p', 'parallelization', 1]];

function startScrypt(callback, password, salt, keylen, options) {
  const args = [toBytes(password, 'password'), toBytes(salt, 'salt')];
  validateInt32(keylen, 'keylen', 0);
  const cost = COSTS.map(([short, long, standard]) => {
    const given = [short, long].filter((name) => options?.[name] !== undefined);
    if (given.length > 1) throw new codes.ERR_INCOMPATIBLE_OPTION_PAIR(short, long);
    for (const name of given) validateUint32(options[name], name);
    return options?.[given[0]] || standard;
  });
  if (options?.maxmem !== undefined) validateInteger(options.maxmem, 'maxmem', 0);
  validateFunction(callback, 'callback');
  const problem = native.scryptProblem(cost, options?.maxmem || 32 * 1024 * 1024);
  if (problem !== undefined) throw new codes.ERR_CRYPTO_INVALID_SCRYPT_PARAMS(problem);
  return derive('scrypt', [...args, cost, keylen], callback);
}

function startHkdf(callback, digest, key, salt, info, length) {
  validateString(digest, 'digest');
  const args = [['ikm', key, 'SecretKeyObject'], ['salt', salt], ['info', info]].map(
    ([name, value, ...more]) => toBytes(value, name, ['string', ...more, ...HKDF_DATA]));
  validateInteger(length, 'length', 0);
  const size = args[2].length;
  if (size > 1024) throw new codes.ERR_OUT_OF_RANGE('info', 'must not contain more than 1024 bytes', size);
  validateFunction(callback, 'callback');
  if (length > 255 * checkDigest(digest)) throw new codes.ERR_CRYPTO_INVALID_KEYLEN();
  return derive('hkdf', [digest, ...args, length], callback, { convert: ({ buffer }) => buffer, isEmpty: length === 0 });
}

module.exports = {
  hkdf: (digest, key, salt, info, length, callback) => startHkdf(callback, digest, key, salt, info, length),
  hkdfSync: (digest, key, salt, info, length) => startHkdf(SYNC, digest, key, salt, info, length),
  pbkdf2(password, salt, iterations, keylen, digest, callback) {
    const isShort = typeof digest === 'function';
    startPbkdf2(isShort ? digest : callback, password, salt, iterations, keylen, isShort ? undefined : digest);
  },
  pbkdf2Sync: (password, salt, iterations, keylen, digest) =>
    startPbkdf2(SYNC, password, salt, iterations, keylen, digest),
  scrypt(password, salt, keylen, options, callback = undefined) {
    const isShort = callback === undefined;
    startScrypt(isShort ? options : callback, password, salt, keylen, isShort ? undefined : options);
  },
  scryptSync: (password, salt, keylen, options = undefined) => startScrypt(SYNC, password, salt, keylen, options),
};
