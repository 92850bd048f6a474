// spawn: the order of output, exit and close; exit codes and signals.
const { spawn } = require('child_process');
function run(name, file, args, options) {
  return new Promise((done) => {
    const child = spawn(file, args, options);
    console.log(name, typeof child.pid, child.spawnfile, child.spawnargs, child.exitCode, child.killed);
    const got = { stdout: '', stderr: '' };
    for (const which of ['stdout', 'stderr']) child[which]?.setEncoding('utf8').on('data', (text) => (got[which] += text));
    child.on('spawn', () => console.log(name, 'spawn'));
    child.on('exit', (code, signal) => console.log(name, 'exit', code, signal));
    child.on('close', (code, signal) => {
      console.log(name, 'close', code, signal, got, child.exitCode, child.signalCode);
      done();
    });
    if (options?.feed) child.stdin.end(options.feed);
    if (options?.kill) setTimeout(() => console.log(name, 'kill', child.kill(options.kill), child.killed), 50);
  });
}
(async () => {
  await run('echo', 'echo', ['hello', 'world']);
  await run('both', 'sh', ['-c', 'echo out; echo err >&2; exit 3']);
  await run('cat', 'cat', [], { feed: 'fed to cat' });
  await run('shell', 'echo $((1 + 2)) | tr 3 4', { shell: true });
  await run('env', 'sh', ['-c', 'echo $A-$HOME'], { env: { A: 'b', PATH: process.env.PATH } });
  await run('cwd', 'pwd', [], { cwd: '/' });
  await run('killed', 'sleep', ['10'], { kill: 'SIGTERM' });
  await run('killed9', 'sleep', ['10'], { kill: 9 });
  await run('ignore', 'sh', ['-c', 'echo nothing'], { stdio: 'ignore' });
  await run('timeout', 'sleep', ['10'], { timeout: 50 });
  await run('argv0', 'sh', ['-c', 'echo $0'], { argv0: 'other' });
})();
