// Errors of data and of arguments.
const zlib = require('zlib');
const packed = zlib.gzipSync('hello world');
const dictionary = Buffer.from('hello');
const show = (error) => [error.name, error.code, error.errno, error.message, Object.keys(error).join()].join(' | ');
function attempt(name, work) {
  try {
    console.log(name, work());
  } catch (error) {
    console.log(name, show(error));
  }
}
const bad = Buffer.from('this is no compressed data');
for (const name of ['gunzip', 'inflate', 'inflateRaw', 'unzip', 'brotliDecompress']) {
  attempt(name, () => zlib[`${name}Sync`](bad));
  attempt(`${name} empty`, () => zlib[`${name}Sync`](Buffer.alloc(0)));
}
attempt('truncated', () => zlib.gunzipSync(packed.subarray(0, 15)));
attempt('checksum', () => zlib.gunzipSync(Buffer.concat([packed.subarray(0, -8), Buffer.alloc(8)])));
attempt('garbage', () => zlib.gunzipSync(Buffer.concat([packed, Buffer.from('abc')])));
attempt('half a member', () => zlib.gunzipSync(Buffer.concat([packed, packed.subarray(0, 4)])));
attempt('no dictionary', () => zlib.inflateSync(zlib.deflateSync('hello', { dictionary })));
attempt('other dictionary', () => zlib.inflateSync(zlib.deflateSync('hello', { dictionary }), { dictionary: bad }));
attempt('raw', () => zlib.inflateRawSync(zlib.deflateRawSync('hello hello', { dictionary })));
attempt('large', () => zlib.gunzipSync(zlib.gzipSync('a'.repeat(1000)), { maxOutputLength: 100 }));
attempt('just fits', () => zlib.gunzipSync(zlib.gzipSync('a'.repeat(100)), { maxOutputLength: 100 }).length);
for (const options of [{ level: 10 }, { level: '9' }, { level: Infinity }, { windowBits: 16 }, { windowBits: 8 }, { memLevel: 0 },
  { strategy: 5 }, { chunkSize: 63 }, { flush: 6 }, { finishFlush: -1 }, { maxOutputLength: 0 }, { dictionary: 'text' }]) {
  attempt(JSON.stringify(options), () => zlib.gzipSync('a', options));
}
attempt('window of inflate', () => zlib.inflateSync(zlib.deflateSync('ok'), { windowBits: 0 }) + '');
attempt('window of deflate', () => zlib.deflateSync('a', { windowBits: 0 }));
attempt('level NaN', () => zlib.gunzipSync(zlib.gzipSync('ok', { level: NaN })) + '');
attempt('param', () => zlib.brotliCompressSync('a', { params: { 999: 1 } }));
attempt('param value', () => zlib.brotliCompressSync('a', { params: { 1: 'x' } }));
attempt('buffer', () => zlib.gzipSync(5));
attempt('callback', () => zlib.gzip('a'));
attempt('chunk', () => zlib.gzip(5, () => {}));
attempt('crc32', () => zlib.crc32(5));
attempt('crc32 value', () => zlib.crc32('a', -1));
zlib.gunzip(bad, (error, result) => {
  console.log('callback', show(error), result);
  zlib.gunzip(zlib.gzipSync('a'.repeat(1000)), { maxOutputLength: 10 }, (error, result) => {
    console.log('callback', show(error), result);
    const stream = zlib.createGunzip();
    for (const name of ['end', 'finish', 'close', 'data']) stream.on(name, () => console.log('stream', name));
    stream.on('error', (error) => console.log('stream', show(error), stream.destroyed));
    stream.end(bad);
  });
});
