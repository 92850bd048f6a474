// Misuse of a readable: push after EOF, a wrong chunk type, _read that throws or is missing.
const { Readable } = require('stream');
function watch(name, stream) {
  stream.on('error', (err) => console.log(name, err.name, err.code, err.message));
  stream.on('close', () => console.log(name, 'close', stream.errored !== null));
  stream.resume();
}
const late = new Readable({ read() {} });
watch('late', late);
late.push(null);
late.push('x');
const wrong = new Readable({ read() {} });
watch('wrong', wrong);
wrong.push(42);
watch('throws', new Readable({ read() { throw new RangeError('no luck'); } }));
watch('missing', new Readable());
try {
  new Readable({ highWaterMark: -1 });
} catch (err) {
  console.log(err.name, err.code, err.message);
}
try {
  new Readable({ read() {} }).setEncoding('klingon');
} catch (err) {
  console.log(err.name, err.code, err.message);
}
