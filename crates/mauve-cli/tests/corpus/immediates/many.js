let n = 0;
for (let i = 0; i < 200000; i++) setImmediate(() => n++);
process.on('exit', () => console.log(n));
