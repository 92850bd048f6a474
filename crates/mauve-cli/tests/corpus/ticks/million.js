let n = 0;
for (let i = 0; i < 1000000; i++) process.nextTick(() => { n++; });
process.on('exit', () => console.log(n));
