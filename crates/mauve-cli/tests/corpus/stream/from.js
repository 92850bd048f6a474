// Readable.from: strings, iterables, generators that are closed, and the error for null.
const { Readable } = require('stream');
async function show(name, source, options) {
  const got = [];
  try {
    for await (const value of Readable.from(source, options)) got.push(value);
    console.log(name, got);
  } catch (err) {
    console.log(name, got, err.code || err.message);
  }
}
async function* later() {
  yield 1;
  yield Promise.resolve(2);
}
function* closing() {
  try {
    yield 'a';
    yield 'b';
  } finally {
    console.log('closed');
  }
}
(async () => {
  await show('string', 'whole');
  await show('buffer', Buffer.from('bytes'));
  await show('array', [1, 'two', { three: 3 }]);
  await show('promises', [Promise.resolve('p'), 'q']);
  await show('async', later());
  await show('null', [1, null, 2]);
  await show('set', new Set(['x', 'y']));
  await show('not objects', ['ab', 'cd'], { objectMode: false });
  await show('rejects', [Promise.reject(new Error('no'))]);
  const stream = Readable.from(closing());
  for await (const value of stream) {
    console.log(value);
    break;
  }
  try {
    Readable.from(5);
  } catch (err) {
    console.log(err.code, err.message);
  }
})();
