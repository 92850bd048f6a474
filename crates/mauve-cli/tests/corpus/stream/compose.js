// compose and Duplex.from.
const { compose, Duplex, Readable, Transform } = require('stream');
const upper = new Transform({ transform: (c, e, cb) => cb(null, String(c).toUpperCase()) });
async function* exclaim(source) {
  for await (const chunk of source) yield `${chunk}!`;
}
(async () => {
  let text = '';
  for await (const chunk of compose(upper, exclaim).end('hello')) text += chunk;
  console.log(text);
  console.log(await Readable.from(['a', 'b']).compose(exclaim).toArray());
  const fromIterable = Duplex.from(['x', 'y']);
  console.log(await fromIterable.toArray());
  const fromPromise = Duplex.from(Promise.resolve('promised'));
  console.log(await fromPromise.toArray());
  const fromFunction = Duplex.from(async function* (source) {
    for await (const chunk of source) yield String(chunk).length;
  });
  fromFunction.end('four');
  console.log(await fromFunction.toArray());
  try {
    Duplex.from(5);
  } catch (err) {
    console.log(err.code);
  }
})();
