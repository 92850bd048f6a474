process.on('exit', (c) => console.log('exit', c));
await null;
throw new Error('from a module');
