// A handler that a tick or a microtask of the same drain adds prevents unhandledRejection.
const p = Promise.reject(new Error('x'));
process.nextTick(() => p.catch(() => console.log('in time')));
const q = Promise.reject(new Error('y'));
Promise.resolve().then(() => q.catch(() => console.log('in time too')));
