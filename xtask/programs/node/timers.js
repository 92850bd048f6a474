// timers: order of ticks, promises, immediates and timers; intervals; many at once; unref
'use strict';
const fs = require('fs');
const { assert, main } = require('./lib/check');

const ended = (start) => new Promise(start);

main(async () => {
  // In an I/O callback, an immediate always runs before a timer.
  for (let i = 0; i < 20; i++) {
    const order = [];
    await ended((done) => fs.stat('.', () => {
      setTimeout(() => { order.push('timer'); done(); }, 0);
      setImmediate(() => order.push('immediate'));
      process.nextTick(() => order.push('tick'));
      Promise.resolve().then(() => order.push('promise'));
    }));
    assert.deepStrictEqual(order, ['tick', 'promise', 'immediate', 'timer']);
  }
  // Sorted by due time, then by start.
  const order = [];
  await Promise.all([30, 10, 20, 10, 1].map((ms, i) => ended((done) => setTimeout(() => {
    order.push(`${ms} ${i}`);
    done();
  }, ms))));
  assert.deepStrictEqual(order, ['1 4', '10 1', '10 3', '20 2', '30 0']);

  // An immediate that an immediate queues runs in the next iteration.
  const passes = [];
  await ended((done) => {
    setImmediate(() => { passes.push(1); setImmediate(() => { passes.push(3); done(); }); });
    setImmediate(() => passes.push(2));
  });
  assert.deepStrictEqual(passes, [1, 2, 3]);

  const begin = process.hrtime.bigint();
  let count = 0;
  await ended((done) => {
    const interval = setInterval(() => { if (++count === 20) { clearInterval(interval); done(); } }, 5);
  });
  const took = Number(process.hrtime.bigint() - begin) / 1e6;
  assert(took >= 95 && took < 5000, `20 intervals of 5 ms took ${took} ms`);

  let fired = 0;
  const timers = Array.from({ length: 50000 }, (_, i) => setTimeout(() => fired++, 1 + i % 50));
  timers.forEach((timer, i) => { if (i % 2) clearTimeout(timer); });
  await ended((done) => setTimeout(done, 100));
  assert.strictEqual(fired, 25000);
  setTimeout(() => assert.fail('an unref timer has kept the process alive'), 600000).unref();
});
