process.on('uncaughtException', (e) => console.log('caught', e.message));
process.nextTick(() => { console.log('t1'); throw new Error('tick'); });
process.nextTick(() => console.log('t2'));
Promise.resolve().then(() => console.log('p'));
setImmediate(() => console.log('immediate'));
