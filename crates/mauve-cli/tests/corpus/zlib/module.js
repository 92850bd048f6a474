// The names, classes and constants of the module.
const zlib = require('zlib');
console.log(Object.getOwnPropertyNames(zlib).join());
console.log(JSON.stringify(zlib.constants), JSON.stringify(zlib.codes));
const flags = (object, name) => {
  const { writable, enumerable, configurable } = Object.getOwnPropertyDescriptor(object, name);
  return [name, writable, enumerable, configurable].join();
};
console.log(flags(zlib, 'codes'), flags(zlib, 'constants'), flags(zlib, 'createGzip'), flags(zlib, 'Z_OK'), flags(zlib.constants, 'Z_OK'));
console.log(Object.isFrozen(zlib.codes), Object.getPrototypeOf(zlib.constants), zlib.constants.Z_MAX_CHUNK);
for (const name of ['Gzip', 'BrotliDecompress']) {
  const stream = new zlib[name]();
  const chain = [];
  for (let proto = stream; (proto = Object.getPrototypeOf(proto)) !== require('stream').prototype;) chain.push(proto.constructor.name);
  console.log(name, zlib[name].length, chain.join(), stream instanceof require('stream').Transform);
  console.log(stream.bytesWritten, stream._closed, stream.readableHighWaterMark, stream._chunkSize, typeof stream.params);
  stream.close();
}
console.log(zlib.gzip.length, zlib.gzip.name, zlib.gzipSync.length, zlib.gzipSync.name, zlib.createGzip.name, zlib.createGzip.length);
class Own extends zlib.Deflate {}
console.log(new Own() instanceof zlib.Deflate, zlib.Gunzip() instanceof zlib.Gunzip);
console.log(zlib.createGzip()._processChunk(Buffer.from('abc'), zlib.constants.Z_FINISH).length > 10);
