// A handler added by a tick or a microtask of the same drain is in time.
const p = Promise.reject(new Error('x'));
process.nextTick(() => p.catch(() => console.log('in time')));
const q = Promise.reject(new Error('y'));
Promise.resolve().then(() => q.catch(() => console.log('in time too')));
