// AsyncLocalStorage through calls, promises, await, ticks and timers.
const { AsyncLocalStorage, AsyncResource, executionAsyncId } = require('async_hooks');
const a = new AsyncLocalStorage();
const b = new AsyncLocalStorage();
const log = [];
const say = (label) => log.push(`${label}: ${a.getStore()} ${b.getStore()}`);
say('outside');
a.run(1, () => {
  say('run');
  b.run('x', () => { say('nested'); a.exit(() => say('exited')); });
  say('after nested');
  setTimeout(() => { say('timeout'); setTimeout(() => say('timeout in timeout'), 1); }, 1);
  setImmediate(() => say('immediate'));
  process.nextTick(() => say('tick'));
  queueMicrotask(() => say('microtask'));
  Promise.resolve().then(() => say('then'));
  (async () => {
    say('async start');
    await null;
    say('after await null');
    await new Promise((resolve) => setTimeout(resolve, 2));
    say('after await timer');
    await b.run('y', async () => { await null; say('inner'); });
    say('after inner');
    try { await Promise.reject(new Error('e')); } catch (error) { say(`caught ${error.message}`); }
    for await (const value of (async function* () { yield 1; await null; yield 2; })()) say(`iterated ${value}`);
    const [x, y] = await Promise.all([1, Promise.resolve(2)]);
    say(`all ${x}${y}`);
    return 5;
  })().then((value) => say(`resolved ${value}`)).finally(() => say('finally'));
});
say('outside again');
(async () => { say('no context'); await null; say('still none'); await new Promise((resolve) => setTimeout(resolve, 5)); say('none at end'); })();
const bound = a.run('bound', () => AsyncResource.bind(() => say('bound')));
bound();
const snapshot = a.run('snap', () => AsyncLocalStorage.snapshot());
snapshot(() => say('snapshot'));
const resource = a.run('res', () => new AsyncResource('THING'));
resource.runInAsyncScope(() => say('resource'));
console.log(typeof resource.asyncId(), typeof executionAsyncId(), a.run(3, (p, q) => p + q, 4, 5));
try { a.run(7, () => { throw new Error('thrown'); }); } catch (error) { console.log(error.message, a.getStore()); }
setTimeout(() => {
  a.enterWith('entered');
  say('entered');
  setTimeout(() => say('timer after enter'), 1);
  Promise.resolve().then(() => say('then after enter'));
}, 20);
setTimeout(() => say('other timer'), 30);
for (let i = 0; i < 3; i++) a.run(`request ${i}`, async () => { await new Promise((resolve) => setTimeout(resolve, 40 + 5 * (3 - i))); say(`done ${i}`); });
setTimeout(() => { for (const line of log.sort()) console.log(line); console.log((async () => {})().constructor === Promise, Promise.resolve(1) instanceof Promise, Promise.name); }, 100);
class Sub extends Promise { own() { return 'own'; } }
a.run('sub', async () => {
  const made = new Sub((resolve) => setTimeout(resolve, 1, 5));
  console.log(made.then(() => {}) instanceof Sub, made.own(), Sub.resolve(1) instanceof Sub, Promise.resolve(made) === made, made.constructor === Sub);
  say(`subclass ${await made}`);
  say(`any ${await Promise.any([Promise.reject(1), 2])} race ${await Promise.race([3])} settled ${(await Promise.allSettled([4])).length}`);
  const thenable = { then(resolve) { say('thenable'); setTimeout(resolve, 1, 6); } };
  say(`awaited ${await thenable}`);
  await Promise.all([1, 2].map(async (n) => { await n; say(`mapped ${n}`); await a.run(`inner ${n}`, async () => { await null; say(`deeper ${n}`); }); say(`back ${n}`); }));
});
