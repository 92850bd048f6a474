// Random values: their sizes and ranges.
const crypto = require('crypto');

const show = (name, value) => console.log(name, value);
show('size', [0, 1, 1.5, 1000].map((size) => crypto.randomBytes(size).length));
show('differs', crypto.randomBytes(16).equals(crypto.randomBytes(16)));
show('buffer', Buffer.isBuffer(crypto.randomBytes(1)));
const parts = new Uint16Array(8);
show('same', crypto.randomFillSync(parts, 2, 3) === parts);
show('untouched', [0, 1, 5, 6, 7].map((index) => parts[index]));
show('array buffer', crypto.randomFillSync(new ArrayBuffer(4)).byteLength);
for (let i = 0; i < 200; i++) {
  const value = crypto.randomInt(-3, 4);
  if (!Number.isInteger(value) || value < -3 || value > 3) show('out of range', value);
}
show('one', [crypto.randomInt(1), crypto.randomInt(5, 6)]);
show('all', [...new Set(Array.from({ length: 500 }, () => crypto.randomInt(4)))].sort());
show('wide', crypto.randomInt(0, 2 ** 48 - 1) < 2 ** 48);
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
show('uuid', [UUID.test(crypto.randomUUID()), UUID.test(crypto.randomUUID({ disableEntropyCache: true }))]);
show('web', [UUID.test(globalThis.crypto.randomUUID()), crypto.getRandomValues(new BigInt64Array(2)).length]);
show('equal', [crypto.timingSafeEqual(Buffer.from('ab'), new Uint8Array([97, 98])),
  crypto.timingSafeEqual(Buffer.from('ab'), Buffer.from('ac'))]);

(async () => {
  const wait = (start) => new Promise((resolve) => start((...args) => resolve(args)));
  const [err, bytes] = await wait((done) => crypto.randomBytes(20, done));
  show('bytes', [err, bytes.length]);
  const target = Buffer.alloc(10);
  const [, filled] = await wait((done) => crypto.randomFill(target, 4, 2, done));
  show('filled', [filled === target, target.subarray(0, 4).equals(Buffer.alloc(4)), target.subarray(6).equals(Buffer.alloc(4))]);
  show('whole', (await wait((done) => crypto.randomFill(new Uint32Array(3), done)))[1].length);
  show('tail', (await wait((done) => crypto.randomFill(Buffer.alloc(5), 3, done)))[1].subarray(0, 3));
  show('int', (await wait((done) => crypto.randomInt(1, 2, done))));
  show('int', (await wait((done) => crypto.randomInt(1, done))));
  show('promise', (await require('util').promisify(crypto.randomBytes)(7)).length);
})();
