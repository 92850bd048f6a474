setTimeout(() => { process.exit(5); console.log('never'); }, 1);
setTimeout(() => console.log('never'), 10);
process.on('exit', (c) => { console.log('exit', c); setTimeout(() => console.log('never'), 0); process.nextTick(() => console.log('never')); });
