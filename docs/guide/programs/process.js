// Starts children: one that prints and exits, one that is killed, and one that does not exist.
const { spawn } = require('child_process');

spawn('no-such-program').on('error', (error) => {
  console.log(`missing: ${error.code}`);
  const printer = spawn('sh', ['-c', 'echo from the child; exit 3']);
  let text = '';
  printer.stdout.on('data', (data) => {
    text += data;
  });
  printer.on('close', (code) => {
    console.log(`printer: exit status ${code}`);
    process.stdout.write(`its output: ${text}`);
    const sleeper = spawn('sleep', ['1000']);
    sleeper.on('exit', (status, signal) => console.log(`sleeper: ${signal}`));
    console.log(`kill returns ${sleeper.kill()}`);
  });
});
