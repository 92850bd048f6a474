// file streams: 32 MiB written, copied through gzip and back, and compared
'use strict';
const crypto = require('crypto');
const fs = require('fs');
const zlib = require('zlib');
const { Readable } = require('stream');
const { pipeline } = require('stream/promises');
const { assert, main } = require('./lib/check');

async function digest(path) {
  const hash = crypto.createHash('sha256');
  await pipeline(fs.createReadStream(path), hash);
  return hash.digest('hex');
}

main(async () => {
  const block = crypto.randomBytes(1 << 20);
  const hash = crypto.createHash('sha256');
  await pipeline(Readable.from((function* () {
    for (let i = 0; i < 32; i++) {
      block.writeUInt32LE(i);
      hash.update(block);
      yield Buffer.from(block);
    }
  })()), fs.createWriteStream('plain'));
  const whole = hash.digest('hex');
  assert.strictEqual(fs.statSync('plain').size, 32 << 20);
  assert.strictEqual(await digest('plain'), whole);
  const gzip = zlib.createGzip({ level: 1 });
  await pipeline(fs.createReadStream('plain'), gzip, fs.createWriteStream('packed'));
  await pipeline(fs.createReadStream('packed'), zlib.createGunzip(), fs.createWriteStream('again'));
  assert.strictEqual(await digest('again'), whole);

  const parts = [];
  for await (const part of fs.createReadStream('plain', { start: 10, end: 19 })) parts.push(part);
  assert.strictEqual(Buffer.concat(parts).length, 10);
  await assert.rejects(pipeline(fs.createReadStream('none'), fs.createWriteStream('x')), { code: 'ENOENT' });
  ['plain', 'packed', 'again'].forEach((path) => fs.unlinkSync(path));
});
