process.on('uncaughtException', (e) => console.log('caught', e.message));
queueMicrotask(() => { console.log('m1'); throw new Error('micro'); });
queueMicrotask(() => console.log('m2'));
process.nextTick(() => console.log('t'));
Promise.resolve().then(() => console.log('p'));
