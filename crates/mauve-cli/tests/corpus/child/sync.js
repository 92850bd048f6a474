// spawnSync, execSync and execFileSync.
const { spawnSync, execSync, execFileSync } = require('child_process');
const plain = ({ pid, ...rest }) => ({ pid: typeof pid, ...rest });
console.log(plain(spawnSync('echo', ['hi'])));
console.log(plain(spawnSync('sh', ['-c', 'echo out; echo err >&2; exit 4'], { encoding: 'utf8' })));
console.log(plain(spawnSync('cat', { input: 'fed', encoding: 'utf8' })));
console.log(plain(spawnSync('cat', { input: Buffer.from('bytes') })));
const none = spawnSync('no-such-program', ['x']);
console.log(none.error.message, none.error.code, none.error.errno, none.error.syscall, none.error.path, none.error.spawnargs, none.status, none.signal, none.output, none.pid, none.stdout);
const late = spawnSync('sleep', ['10'], { timeout: 50 });
console.log(late.error.message, late.error.code, late.status, late.signal);
const much = spawnSync('sh', ['-c', 'head -c 100 /dev/zero | tr "\\0" x'], { maxBuffer: 10, encoding: 'utf8' });
console.log(much.error.message, much.error.code, much.stdout.length);
console.log(plain(spawnSync('sh', ['-c', 'kill -9 $$'])));
console.log(execSync('echo $((6 * 7))').toString(), execFileSync('printf', ['%s-%s', 'a', 'b'], { encoding: 'utf8' }));
console.log(execSync('cat', { input: 'piped' }).toString(), execSync('pwd', { cwd: '/', encoding: 'utf8' }), spawnSync('echo a | tr a b', { shell: true, encoding: 'utf8' }).stdout);
for (const attempt of [() => execSync('echo e; exit 5', { stdio: 'pipe' }), () => execFileSync('no-such-program'), () => execFileSync('sh', ['-c', 'echo bad >&2; exit 6'], { stdio: 'pipe', encoding: 'utf8' })]) {
  try {
    attempt();
  } catch (err) {
    console.log(err.message, err.status, err.code, err.signal, err.stdout && String(err.stdout), err.stderr && String(err.stderr));
  }
}
console.log(spawnSync('sh', ['-c', 'echo inherited'], { stdio: 'inherit' }).stdout);
console.log('last');
