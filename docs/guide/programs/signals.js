// Each signal reaches each listener.
let count = 0;

process.once('SIGUSR2', () => console.log('the listener for one signal: SIGUSR2'));
process.on('SIGUSR2', function onEvery(name) {
  console.log(`signal ${++count}: ${name}`);
  if (count < 2) process.kill(process.pid, 'SIGUSR2');
  else process.off('SIGUSR2', onEvery);
});

try {
  process.on('SIGKILL', () => {});
} catch (error) {
  console.log(`SIGKILL cannot be watched: ${error.code}`);
}
// Listeners for signals do not keep the loop alive.
const timer = setInterval(() => count === 2 && clearInterval(timer), 5);
process.kill(process.pid, 'SIGUSR2');
console.log('the signal is sent, no listener has run');
