process.exitCode = 3;
process.on('exit', (c) => { console.log(c, process.exitCode); process.exitCode = 4; });
