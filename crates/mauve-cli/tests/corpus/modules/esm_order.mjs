import './fixtures/first.mjs';
import './fixtures/second.mjs';
console.log('main');
process.nextTick(() => console.log('tick'));
Promise.resolve().then(() => console.log('promise'));
queueMicrotask(() => console.log('microtask'));
setImmediate(() => console.log('immediate'));
await null;
console.log('after await');
