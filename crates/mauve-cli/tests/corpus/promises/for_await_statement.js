// A loop whose body is one statement awaits return(), too.
const iterator = () => ({
  [Symbol.asyncIterator]() { return this; },
  next: async () => ({ value: 1, done: false }),
  async return() {
    await null;
    console.log('returned');
    return {};
  },
});
const fail = (value) => { throw value; };
async function caught(loop) {
  try {
    await loop();
  } catch (error) {
    console.log('caught', error);
  }
}
(async () => {
  await caught(async () => { for await (const x of iterator()) throw x; });
  await caught(async () => { for await (const x of iterator()) throw x });
  await caught(async () => {
    for await (const x of iterator()) fail([
      x, { y: ';' },
    ]); // The next statement is not part of the loop.
    console.log('not reached');
  });
  await caught(async () => {
    let count = 0;
    for await (const x of [1, 2, Promise.resolve(3)]) count += x;
    console.log(count);
    for await (count of [1, 2]) ;
    for await (const x of [1]) console.log(x)
    console.log('after');
  });
})();
