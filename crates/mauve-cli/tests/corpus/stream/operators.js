// The iterator helpers of Readable.
const { Readable } = require('stream');
const { setTimeout: sleep } = require('timers/promises');
const numbers = () => Readable.from([1, 2, 3, 4, 5]);
(async () => {
  console.log(await numbers().map((n) => n * 2).toArray());
  console.log(await numbers().map(async (n) => (await sleep((6 - n) * 2), n), { concurrency: 5 }).toArray());
  console.log(await numbers().filter((n) => n % 2).toArray());
  console.log(await numbers().take(2).toArray(), await numbers().drop(3).toArray());
  console.log(await numbers().flatMap((n) => [n, n]).take(4).toArray());
  console.log(await numbers().reduce((a, b) => a + b), await numbers().reduce((a, b) => a + b, 100));
  console.log(await numbers().some((n) => n > 4), await numbers().every((n) => n > 4), await numbers().find((n) => n > 3));
  await numbers().forEach((n) => console.log('each', n));
  await Readable.from([]).reduce((a, b) => a + b).catch((err) => console.log(err.name, err.code, err.message));
  await numbers().map(() => { throw new Error('in map'); }).toArray().catch((err) => console.log(err.message));
  await numbers().toArray({ signal: AbortSignal.abort() }).catch((err) => console.log(err.name));
  for (const call of [() => numbers().map(1), () => numbers().take(-1), () => numbers().map((x) => x, { concurrency: 0 })]) {
    try {
      call();
    } catch (err) {
      console.log(err.name, err.code, err.message);
    }
  }
  await numbers().forEach(1).catch((err) => console.log(err.code));
})();
