process.on('unhandledRejection', (e) => { console.log('unhandled', e); if (e < 3) Promise.reject(e + 10); });
Promise.reject(1); Promise.reject(2);
process.nextTick(() => { console.log('tick'); Promise.reject(3); });
setImmediate(() => { console.log('immediate'); Promise.reject(4); });
