process.on('uncaughtException', (e, origin) => console.log(e.message, origin));
process.nextTick(() => console.log('tick'));
Promise.resolve().then(() => console.log('promise'));
setTimeout(() => console.log('timer'), 1);
throw new Error('main');
