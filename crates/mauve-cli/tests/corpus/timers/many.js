let sum = 0;
for (let i = 0; i < 100000; i++) setTimeout((x) => { sum += x; }, 1 + (i % 50), i);
process.on('exit', () => console.log(sum));
