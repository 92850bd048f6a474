process.on('exit', (c) => console.log('exit', c));
process.on('uncaughtException', () => { throw new Error('second'); });
setTimeout(() => { throw new Error('first'); }, 1);
