process.on('exit', (c) => console.log('exit', c));
process.on('uncaughtExceptionMonitor', (e, origin) => console.log('monitor', e.message, origin));
setTimeout(() => { throw new RangeError('seen'); }, 1);
