// Keys derived from passwords, synchronous and on the thread pool.
const crypto = require('crypto');
const { promisify } = require('util');

const hex = (bytes) => Buffer.from(bytes).toString('hex');
for (const name of ['md5', 'sha1', 'SHA256', 'sha512', 'sha512-256', 'sha3-256', 'ripemd160']) {
  console.log(name, hex(crypto.pbkdf2Sync('secret', 'salt', 100, 70, name)));
  console.log(name, hex(crypto.hkdfSync(name, 'key', 'salt', 'info', 70)));
}
console.log(crypto.hkdfSync('sha256', '', '', '', 16), crypto.pbkdf2Sync('', '', 1, 4, 'sha1'));
console.log(hex(crypto.scryptSync('secret', 'salt', 64)));
console.log(hex(crypto.scryptSync(Buffer.from('p'), new Uint8Array(4), 32, { N: 16, r: 1, p: 3 })));
console.log(hex(crypto.scryptSync('p', 's', 32, { cost: 32, blockSize: 2, parallelization: 2, maxmem: 20000 })));
console.log(crypto.scryptSync('p', 's', 0).length);
for (const name of ['pbkdf2', 'pbkdf2Sync', 'scrypt', 'scryptSync', 'hkdf', 'hkdfSync']) console.log(name, crypto[name].length);

(async () => {
  console.log(hex(await promisify(crypto.pbkdf2)('secret', 'salt', 1000, 20, 'sha512')));
  console.log(hex(await promisify(crypto.scrypt)('secret', 'salt', 20)));
  console.log(hex(await promisify(crypto.scrypt)('secret', 'salt', 20, { N: 64 })));
  console.log(await promisify(crypto.hkdf)('sha1', 'key', 'salt', 'info', 10));
  crypto.pbkdf2('secret', 'salt', 1, 0, 'sha1', (err) => console.log(err.message));
  let ticks = 0;
  crypto.scrypt('secret', 'salt', 20, () => console.log('the loop ran', ticks > 0));
  setImmediate(() => ticks++);
})();
