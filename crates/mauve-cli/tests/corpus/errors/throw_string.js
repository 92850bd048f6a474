process.on('exit', (c) => console.log('exit', c));
throw 'a string';
