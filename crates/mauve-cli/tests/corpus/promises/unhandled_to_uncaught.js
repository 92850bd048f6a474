process.on('uncaughtException', (e, origin) => console.log('caught', e.message, origin));
Promise.reject(new Error('a'));
setTimeout(() => { Promise.reject(new Error('b')); setImmediate(() => console.log('goes on')); }, 1);
