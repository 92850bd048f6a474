process.on('uncaughtException', (e) => { console.log('caught', e.message); process.nextTick(() => console.log('tick of handler')); });
setTimeout(() => { Promise.resolve().then(() => console.log('micro of timer')); throw new Error('timer'); }, 1);
setTimeout(() => console.log('next timer'), 1);
setImmediate(() => { throw new Error('immediate'); });
require('fs').stat('.', () => { process.nextTick(() => console.log('tick of stat')); throw new Error('stat'); });
