// Every hash that is listed, in pieces and at once, and the HMAC of each.
const crypto = require('crypto');

const NAMES = ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512', 'sha512-224', 'sha512-256', 'sha3-224', 'sha3-256',
  'sha3-384', 'sha3-512', 'ripemd160', 'RIPEMD', 'rmd160', 'SHA1', 'SHA-1', 'Sha-256', 'SHA2-384', 'SHA-512/256',
  'RSA-SHA256', 'RSA-SHA512/224', 'sha256WithRSAEncryption', 'ssl3-md5', 'id-rsassa-pkcs1-v1_5-with-sha3-224'];
const long = Buffer.alloc(1000, 'mauve');

for (const name of NAMES) {
  const hash = crypto.createHash(name);
  for (let at = 0; at < long.length; at += 63) hash.update(long.subarray(at, at + 63));
  console.log(name, hash.digest('hex'), crypto.hash(name, '', 'base64'));
  for (const size of [0, 10, 64, 128, 129, 500]) {
    console.log(crypto.createHmac(name, long.subarray(0, size)).update('Grüße').digest('base64url'));
  }
}
const ours = ['md5', 'sha1', 'sha256', 'sha512-256', 'sha3-512', 'ripemd160', 'RSA-SHA1-2', 'ssl3-sha1'];
console.log(ours.every((name) => crypto.getHashes().includes(name)));

const first = crypto.createHash('sha256').update('one');
const copy = first.copy();
console.log(first.update('two').digest('hex'), copy.update(' other').digest('hex'));
console.log(crypto.createHash('md5').update('6d61', 'hex').update('dXZl', 'base64').digest().toString('latin1'));
console.log(crypto.createHash('md5').update(new Uint16Array([1, 2])).update(new DataView(new ArrayBuffer(3), 1)).digest('hex'));
console.log(crypto.createHash('md5').update('\ud800x').update('é', 'latin1').digest('buffer').length);
console.log(crypto.createHmac('sha1', '6b6579', { encoding: 'hex' }).update('a').digest('hex'));
console.log(crypto.createHmac('sha1', new ArrayBuffer(3)).update('a').digest('hex'));
console.log(first instanceof crypto.Hash, crypto.createHmac('md5', '') instanceof crypto.Hmac);
console.log(first instanceof require('stream').Transform, crypto.createHash.length, crypto.createHmac.length);
