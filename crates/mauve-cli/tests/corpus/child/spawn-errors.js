// Errors of spawn: an event, or an exception for wrong arguments.
const { spawn, exec, execFile, spawnSync, fork } = require('child_process');
const child = spawn('no-such-program', ['a', 'b']);
console.log(child.pid, child.stdout !== null);
child.on('error', (err) => console.log(err.name, err.message, err.code, err.errno, err.syscall, err.path, err.spawnargs));
child.on('exit', () => console.log('exit'));
child.on('close', (code, signal) => console.log('close', code, signal, child.kill()));
const attempts = [
  () => spawn(), () => spawn(5), () => spawn(''), () => spawn('a\0b'), () => spawn('x', 'y'), () => spawn('x', [], 5), () => spawn('x', [], { cwd: 5 }),
  () => spawn('x', [], { stdio: 'what' }), () => spawn('x', [], { stdio: ['what'] }), () => spawn('x', [], { detached: 5 }), () => spawn('x', [], { shell: 5 }), () => spawn('x', [], { timeout: -1 }),
  () => spawn('x', [], { killSignal: 'SIGWHAT' }), () => exec(), () => exec('x', { maxBuffer: -1 }), () => execFile('x', [], 'y'), () => spawnSync(5), () => fork(), () => spawnSync('x', [], { stdio: ['ipc'] }),
  () => spawn('sleep', ['0']).kill('SIGWHAT'),
];
attempts.forEach((attempt, i) => {
  try {
    attempt().on?.('error', () => {});
    console.log(i, 'ok');
  } catch (err) {
    console.log(i, err.name, err.code, err.message);
  }
});
