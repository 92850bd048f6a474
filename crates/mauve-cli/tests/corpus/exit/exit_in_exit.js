process.on('exit', (c) => { console.log('exit', c); process.exit(9); });
process.exit(2);
