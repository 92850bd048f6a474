// A Transform that ends its output in a write: how often its source is read, and in which order.
const { Readable, Transform } = require('stream');

function source(count) {
  let n = 0;
  return new Readable({
    highWaterMark: 2,
    objectMode: true,
    read() {
      console.log('read', n);
      this.push(n < count ? n++ : null);
    },
  });
}

for (const end of [0, 2]) {
  const transform = new Transform({
    objectMode: true,
    highWaterMark: 1,
    transform(chunk, encoding, callback) {
      console.log('transform', chunk);
      if (chunk === end) this.push(null);
      callback(null, chunk < end ? chunk : undefined);
      console.log('transformed', chunk);
    },
  });
  transform.on('error', (err) => console.log(err.code));
  transform.on('close', () => console.log('close'));
  source(6).pipe(transform).on('data', (chunk) => console.log('data', chunk)).on('end', () => console.log('end'));
}
