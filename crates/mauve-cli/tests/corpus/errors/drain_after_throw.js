// What runs after an uncaught exception that has a listener.
const fs = require('fs');

const log = (...args) => console.log(...args);
process.on('uncaughtException', (error) => {
  log('caught', error);
  process.nextTick(log, 'tick of the listener');
});

const steps = [
  () => fs.stat('/', () => {
    process.nextTick(log, 'A');
    setImmediate(log, 'B');
    throw 'stat';
  }),
  () => setTimeout(() => {
    process.nextTick(log, 'tick of the last timer');
    setImmediate(log, 'immediate of the last timer');
    throw 'timer';
  }, 1),
  () => {
    setTimeout(() => { process.nextTick(log, 'tick of the first timer'); throw 'first timer'; }, 1);
    setTimeout(() => { log('second timer'); process.nextTick(log, 'tick of the second timer'); }, 1);
    setTimeout(() => { log('third timer'); }, 1);
  },
  () => {
    setTimeout(() => process.nextTick(() => { process.nextTick(log, 'left'); throw 'tick'; }), 1);
    setTimeout(() => { log('after a tick that threw'); process.nextTick(log, 'tick'); }, 1);
    setTimeout(() => log('third'), 1);
  },
  () => {
    setImmediate(() => {
      setImmediate(log, 'immediate of an immediate');
      process.nextTick(log, 'tick of an immediate');
      throw 'immediate';
    });
    setImmediate(log, 'second immediate');
    setImmediate(log, 'third immediate');
  },
  () => setImmediate(() => {
    setImmediate(log, 'next batch in the same phase');
    setTimeout(log, 0, 'timer');
    throw 'last immediate';
  }),
  () => {
    setImmediate(() => process.nextTick(() => { process.nextTick(log, 'left'); throw 'tick of an immediate'; }));
    setImmediate(() => { log('next'); process.nextTick(log, 'its tick'); });
    setImmediate(log, 'last');
  },
  () => fs.stat('/', () => {
    process.nextTick(() => { throw 'first tick'; });
    process.nextTick(() => { throw 'second tick'; });
    process.nextTick(log, 'third tick');
    Promise.resolve().then(() => log('microtask'));
    setImmediate(log, 'immediate');
  }),
  () => queueMicrotask(() => {
    queueMicrotask(() => log('microtask after a throw'));
    process.nextTick(log, 'tick after a throw');
    throw 'microtask';
  }),
];

function next() {
  const step = steps.shift();
  if (!step) return;
  log('-- step');
  step();
  setTimeout(next, 30);
}
setImmediate(() => setTimeout(next, 30));

process.nextTick(() => { process.nextTick(log, 'second tick of main'); throw 'tick of main'; });
process.nextTick(() => log('first tick after it'));
setImmediate(log, 'immediate of main');
Promise.resolve().then(() => log('microtask of main'));
throw 'main';
