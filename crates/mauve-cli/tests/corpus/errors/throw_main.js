process.on('exit', (c) => console.log('exit', c));
process.nextTick(() => console.log('never'));
throw new Error('main');
