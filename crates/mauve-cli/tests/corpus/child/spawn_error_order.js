// A child that could not be spawned: 'close' comes after everything else.
const { spawn } = require('child_process');

for (const stdio of ['pipe', 'ignore']) {
  const child = spawn('/does/not/exist', { stdio });
  child.on('error', (err) => {
    console.log(stdio, err.code, child.exitCode);
    process.nextTick(() => console.log(stdio, 'tick'));
    setImmediate(() => console.log(stdio, 'immediate'));
  });
  child.on('close', (code, signal) => console.log(stdio, 'close', code < 0, signal));
  child.on('exit', () => console.log('never'));
}
