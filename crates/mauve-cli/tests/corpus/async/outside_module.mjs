// A module runs in a promise job, so its asynchronous context is that outside of callbacks.
import { executionAsyncId } from 'async_hooks';

console.log('main', executionAsyncId());
await 1;
console.log('after await', executionAsyncId());
setTimeout(() => console.log('timer', executionAsyncId() > 1), 1);
process.on('exit', () => console.log('exit', executionAsyncId()));
