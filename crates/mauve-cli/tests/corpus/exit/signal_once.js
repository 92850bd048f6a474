process.once('SIGUSR2', () => { console.log('once', process.listenerCount('SIGUSR2')); clearInterval(i); });
const i = setInterval(() => {}, 1000);
console.log(process.kill(process.pid, 0));
process.kill(process.pid, 'SIGUSR2');
