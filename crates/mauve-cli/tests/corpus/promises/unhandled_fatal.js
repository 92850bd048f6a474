process.on('exit', (code) => console.log('exit', code));
setTimeout(() => console.log('never'), 50);
Promise.reject(new Error('boom'));
process.nextTick(() => console.log('tick runs first'));
