// Object mode: any value but null; high water marks count objects.
const { Readable, Writable } = require('stream');
const seen = [];
const source = new Readable({ objectMode: true, highWaterMark: 2, read() {} });
console.log([source.push(1), source.push({ a: 1 }), source.push(''), source.push(undefined)], source.readableLength);
source.push(null);
const sink = new Writable({
  objectMode: true,
  write(value, encoding, cb) {
    seen.push([value, encoding]);
    setImmediate(cb);
  },
});
sink.on('finish', () => console.log(seen));
console.log(sink.writableHighWaterMark, sink.writableObjectMode);
source.pipe(sink);
try {
  sink.write(null);
} catch (err) {
  console.log(err.code, err.message);
}
