// Transform: several chunks per write, none, flush, errors, backpressure.
const { Transform, PassThrough } = require('stream');
const words = new Transform({
  readableObjectMode: true,
  transform(chunk, encoding, cb) {
    this.rest = (this.rest || '') + chunk;
    const parts = this.rest.split(' ');
    this.rest = parts.pop();
    for (const part of parts) this.push(part);
    cb();
  },
  flush(cb) {
    cb(null, this.rest);
  },
});
words.on('data', (word) => console.log('word', word));
words.on('finish', () => console.log('finish')).on('end', () => console.log('end')).on('close', () => console.log('close'));
words.write('the quick br');
words.end('own fox');
const bad = new Transform({ transform(chunk, encoding, cb) { cb(new Error(`bad ${chunk}`)); } });
bad.on('error', (err) => console.log(err.message)).on('close', () => console.log('bad close'));
bad.write('x', (err) => console.log('write cb', err.message));
new Transform().on('error', () => {}).on('error', (err) => console.log(err.code, err.message));
try {
  new Transform().write('x');
} catch (err) {
  console.log(err.code, err.message);
}
const full = new PassThrough({ highWaterMark: 3 });
console.log(full.write('abc'), full.write('def'), full.readableLength, full.writableLength);
full.on('drain', () => console.log('drain'));
full.once('readable', () => console.log(String(full.read()), String(full.read())));
