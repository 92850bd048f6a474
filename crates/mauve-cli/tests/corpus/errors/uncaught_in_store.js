// In which store the listener of 'uncaughtException' runs.
const { AsyncLocalStorage } = require('async_hooks');

const storage = new AsyncLocalStorage();
const log = (...args) => console.log(...args, storage.getStore());

process.on('uncaughtException', ({ message }) => {
  log('uncaught', message);
  process.nextTick(() => log('tick', message));
  Promise.resolve().then(() => log('then', message));
});

storage.run('store', () => {
  process.nextTick(() => {
    throw new Error('tick');
  });
  queueMicrotask(() => {
    throw new Error('microtask');
  });
  queueMicrotask(() => log('next microtask'));
  Promise.reject(new Error('rejection'));
  setTimeout(() => {
    throw new Error('timer');
  });
});
