const fs = require('fs');
process.on('uncaughtException', (e) => { console.log('caught', e.message); process.nextTick(() => console.log('tick of handler', e.message)); });
setTimeout(() => { Promise.resolve().then(() => console.log('micro of timer')); setImmediate(inImmediate); throw new Error('timer'); }, 1);
setTimeout(() => console.log('next timer'), 1);
function inImmediate() { fs.stat('.', inStat); throw new Error('immediate'); }
function inStat() { process.nextTick(() => console.log('tick of stat')); fs.stat('.', () => console.log('next stat')); throw new Error('stat'); }
