// The order of data, end and close of a synchronous source, relative to ticks and immediates.
const { Readable } = require('stream');
let left = 3;
const source = new Readable({
  read(size) {
    console.log('_read', size);
    this.push(left-- > 0 ? `chunk${left}` : null);
  },
});
for (const name of ['data', 'end', 'close', 'resume', 'pause']) {
  source.on(name, (value) => console.log(name, value ? String(value) : ''));
}
console.log('flowing', source.readableFlowing);
process.nextTick(() => console.log('tick'));
Promise.resolve().then(() => console.log('microtask'));
setImmediate(() => console.log('immediate'));
