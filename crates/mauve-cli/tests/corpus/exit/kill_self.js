process.on('SIGUSR2', (name, number) => { console.log(name, number); process.exit(0); });
setInterval(() => {}, 1000);
process.kill(process.pid, 'SIGUSR2');
