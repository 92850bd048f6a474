process.once('beforeExit', () => { console.log('beforeExit'); process.nextTick(() => console.log('tick')); Promise.resolve().then(() => setImmediate(() => console.log('immediate'))); });
process.on('exit', () => console.log('exit'));
