// A script without the handler of exceptions exits with 6.
process.on('exit', () => console.log('exit'));
process._fatalException = undefined;
throw new Error('fatal');
