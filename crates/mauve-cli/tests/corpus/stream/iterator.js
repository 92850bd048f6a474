// for await over a stream: values, an early break, an error, destroyOnReturn false.
const { Readable } = require('stream');
const numbers = () => Readable.from([1, 2, 3]);
(async () => {
  for await (const n of numbers()) console.log(n);
  const broken = numbers();
  for await (const n of broken) {
    console.log('break at', n);
    break;
  }
  console.log('destroyed', broken.destroyed);
  const kept = numbers();
  for await (const n of kept.iterator({ destroyOnReturn: false })) {
    console.log('first', n);
    break;
  }
  for await (const n of kept) console.log('rest', n);
  const failing = new Readable({ read() {} });
  failing.push('x');
  setImmediate(() => failing.destroy(new Error('cut')));
  try {
    for await (const c of failing) console.log(String(c));
  } catch (err) {
    console.log(err.message);
  }
  const premature = new Readable({ read() {} });
  setImmediate(() => premature.destroy());
  try {
    for await (const c of premature) console.log(c);
  } catch (err) {
    console.log(err.code);
  }
  try {
    for await (const n of numbers()) throw new Error(`thrown at ${n}`);
  } catch (err) {
    console.log(err.message);
  }
})();
