process.on('beforeExit', () => console.log('never'));
process.on('exit', (c) => console.log('exit', c));
process.exit();
