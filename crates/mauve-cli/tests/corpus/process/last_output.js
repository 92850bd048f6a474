// Once a child has ended, what it has written and its exit are events of one poll phase, and the end of its streams
// follows in the next iteration. A signal may arrive later, on another thread of node, so only these are compared.
const { fork, spawn } = require('child_process');
const fs = require('fs');

function waitForEnd(pid) {
  while (!/^\d+ \(.*\) Z/.test(fs.readFileSync(`/proc/${pid}/stat`, 'latin1')));
}

function watch(name, emitter, events) {
  for (const event of events) emitter.on(event, (arg) => console.log(name, event, String(arg ?? '').trim()));
}

if (process.argv[2] === 'child') {
  process.send('message');
} else {
  const shell = spawn('sh', ['-c', 'echo out; echo err >&2; exit 3']);
  watch('shell', shell, ['spawn', 'exit', 'close']);
  watch('stdout', shell.stdout, ['data', 'end', 'close']);
  watch('stderr', shell.stderr, ['data', 'end', 'close']);
  setImmediate(() => console.log('check phase'));
  waitForEnd(shell.pid);
  shell.on('close', () => {
    const child = fork(__filename, ['child']);
    watch('child', child, ['spawn', 'message']);
    const ended = ['disconnect', 'exit', 'close'].map((event) => new Promise((resolve) => child.on(event, resolve)));
    Promise.all(ended).then(([, code]) => console.log('child', code));
    waitForEnd(child.pid);
  });
}
