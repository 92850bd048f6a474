process.on('exit', () => { console.log('exit'); throw new Error('in exit'); });
