// Every format compresses and decompresses a buffer, at once and with a callback.
const zlib = require('zlib');
const { promisify } = require('util');
const text = 'The loop waits, and then it does not wait. '.repeat(500);
const pairs = [['gzip', 'gunzip'], ['deflate', 'inflate'], ['deflateRaw', 'inflateRaw'], ['gzip', 'unzip'],
  ['deflate', 'unzip'], ['brotliCompress', 'brotliDecompress']];

async function main() {
  for (const [pack, unpack] of pairs) {
    const packed = zlib[`${pack}Sync`](text);
    const same = zlib[`${unpack}Sync`](packed).toString() === text;
    console.log(pack, unpack, Buffer.isBuffer(packed), packed.length < text.length / 10, same);
    const async = await promisify(zlib[pack])(new Uint8Array(Buffer.from(text)));
    console.log((await promisify(zlib[unpack])(async)).equals(Buffer.from(text)));
  }
  // What Node has written, and parts of its headers.
  const stored = { gzip: 'H4sIAAAAAAAAA8tIzcnJVyjPL8pJAQCFEUoNCwAAAA==', deflate: 'eJzLSM3JyVcozy/KSQEAGgsEXQ==' };
  console.log(zlib.unzipSync(Buffer.from(stored.gzip, 'base64')).length);
  console.log(zlib.unzipSync(Buffer.from(stored.deflate, 'base64')).toString());
  for (const level of [0, 1, 6, 9]) {
    const packed = zlib.gzipSync('hello', { level });
    console.log(level, packed.subarray(0, 10).toString('hex'), packed.readUInt32LE(packed.length - 4), zlib.gunzipSync(packed) + '');
  }
  for (const windowBits of [8, 9, 15]) console.log(zlib.deflateSync('hello', { windowBits })[0]);
  console.log(zlib.crc32('hello'), zlib.crc32(Buffer.from('lo'), zlib.crc32('hel')), zlib.crc32('', 5), zlib.crc32('€'));
  // Members of gzip, padding and what follows.
  const members = Buffer.concat([zlib.gzipSync('one '), zlib.gzipSync('two'), Buffer.alloc(8)]);
  console.log(zlib.gunzipSync(members) + '', zlib.unzipSync(members) + '');
  console.log(zlib.inflateSync(Buffer.concat([zlib.deflateSync('data'), Buffer.from('rest')])) + '');
  console.log(zlib.brotliDecompressSync(Buffer.concat([zlib.brotliCompressSync('data'), Buffer.from('rest')])) + '');
  const dictionary = Buffer.from('hello world');
  for (const [pack, unpack] of pairs.slice(1, 3)) {
    console.log(zlib[`${unpack}Sync`](zlib[`${pack}Sync`]('hello world', { dictionary }), { dictionary }) + '');
  }
  const half = zlib.gzipSync(text).subarray(0, 80);
  const part = zlib.gunzipSync(half, { finishFlush: zlib.constants.Z_SYNC_FLUSH }).toString();
  console.log(part.length > 0 && text.startsWith(part));
  const { buffer, engine } = zlib.deflateSync('abc', { info: true });
  console.log(zlib.inflateSync(buffer) + '', engine.constructor.name, engine.bytesWritten);
  const params = { [zlib.constants.BROTLI_PARAM_QUALITY]: 4, [zlib.constants.BROTLI_PARAM_LGWIN]: 16 };
  console.log(zlib.brotliDecompressSync(zlib.brotliCompressSync(text, { params })).length);
  console.log(zlib.gunzipSync(zlib.gzipSync('')).length, zlib.gunzipSync(zlib.gzipSync(new ArrayBuffer(3))));
}
main();
