process.on('unhandledRejection', (reason, promise) => console.log('unhandled', reason.message, promise instanceof Promise));
process.on('rejectionHandled', () => console.log('handled late'));
const p = Promise.reject(new Error('one'));
setTimeout(() => p.catch(() => console.log('caught')), 5);
Promise.reject(new Error('two')).catch(() => console.log('caught at once'));
