// Web Crypto: digests, random values, and what is refused.
const { webcrypto: c, subtle } = require('crypto');
console.log(c === globalThis.crypto, c.subtle === subtle, c, subtle);
const t = async (name, run) => {
  try {
    const value = await run();
    console.log(name, value instanceof ArrayBuffer ? Buffer.from(value).toString('hex') : value);
  } catch (err) {
    console.log(name, err.name, err.code, err.message);
  }
};
(async () => {
for (const a of ['SHA-1','sha-256',{name:'SHA-384'},'SHA-512','md5','SHA256',{},1,undefined]) await t('d'+JSON.stringify(a), () => subtle.digest(a,Buffer.from('abc')));
await t('d',() => subtle.digest('SHA-1','abc'));
await t('this',() => subtle.digest.call({},'SHA-1',Buffer.from('')));
await t('g',() => c.getRandomValues(new Uint8Array(4)).length);
await t('u',() => c.randomUUID().length);
await t('cons',() => new (globalThis.Crypto)());
await t('cons',() => new (globalThis.SubtleCrypto)());
await t('cons',() => new (globalThis.CryptoKey)());
console.log(Object.prototype.toString.call(c), Object.prototype.toString.call(subtle));
})();
