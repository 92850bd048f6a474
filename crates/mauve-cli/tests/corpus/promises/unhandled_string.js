process.on('exit', (code) => console.log('exit', code));
process.on('uncaughtExceptionMonitor', (e, origin) => console.log(e.code, e.name, e.message, origin));
Promise.reject('just a string');
