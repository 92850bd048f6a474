// The stdio option: inherited descriptors, files, additional pipes.
const { spawn } = require('child_process');
const fs = require('fs');
const path = `${process.env.TMPDIR || '/tmp'}/corpus-child-${process.pid}`;
(async () => {
  const fd = fs.openSync(path, 'w+');
  await new Promise((done) => spawn('echo', ['to a file'], { stdio: ['ignore', fd, 'inherit'] }).on('close', done));
  console.log(fs.readFileSync(path, 'utf8'));
  fs.closeSync(fd);
  fs.unlinkSync(path);
  await new Promise((done) => spawn('echo', ['inherited'], { stdio: 'inherit' }).on('close', done));
  const child = spawn('sh', ['-c', 'echo three >&3; echo in: $(cat <&4) >&3'], { stdio: ['pipe', 'pipe', 'pipe', 'pipe', 'pipe'] });
  let text = '';
  child.stdio[3].on('data', (chunk) => (text += chunk));
  child.stdio[4].end('four');
  console.log(child.stdio.length, child.stdio[0] === child.stdin, child.stdio[1] === child.stdout);
  await new Promise((done) => child.on('close', done));
  console.log(text);
  const mixed = spawn('cat', { stdio: ['pipe', 'inherit', 'ignore'] });
  console.log(mixed.stdout, mixed.stderr, mixed.stdin !== null);
  mixed.stdin.write('written to cat\n');
  mixed.stdin.end();
  await new Promise((done) => mixed.on('close', done));
  const detached = spawn('sleep', ['0.05'], { detached: true, stdio: 'ignore' });
  detached.unref();
  detached.on('exit', () => console.log('not waited for'));
})();
