// The asynchronous context outside of callbacks: after the main script, in promise jobs, and at the exit.
const { AsyncLocalStorage, executionAsyncId, triggerAsyncId } = require('async_hooks');
const show = (name) => console.log(name, executionAsyncId(), triggerAsyncId());

show('main');
Promise.resolve().then(() => show('job'));
process.on('unhandledRejection', () => show('unhandledRejection'));
Promise.reject(new Error('rejected'));
process.on('uncaughtException', (error) => show(error.message));
setTimeout(() => {
  Promise.resolve().then(() => show('job of a timer'));
  queueMicrotask(() => { throw new Error('microtask'); });
}, 1);

setTimeout(() => {
  const store = new AsyncLocalStorage();
  store.enterWith('timer');
  setImmediate(() => console.log(store.getStore()));
  process.on('beforeExit', () => console.log('beforeExit', store.getStore(), executionAsyncId()));
  process.on('exit', () => console.log('exit', store.getStore(), executionAsyncId()));
}, 20);

throw new Error('main');
