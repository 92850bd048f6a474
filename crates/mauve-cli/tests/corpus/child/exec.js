// exec and execFile: output, failures, limits, timeouts, signals, promises.
const { exec, execFile } = require('child_process');
const { promisify } = require('util');
const show = (name, done) => (err, stdout, stderr) => {
  console.log(name, err && [err.message, err.code, err.killed, err.signal, err.cmd], [stdout, stderr]);
  done();
};
(async () => {
  await new Promise((done) => exec('echo hi; echo err >&2', show('good', done)));
  await new Promise((done) => exec('echo out; echo bad >&2; exit 7', show('code', done)));
  await new Promise((done) => execFile('echo', ['a b', 'c'], show('file', done)));
  await new Promise((done) => execFile('no-such-program', show('none', done)));
  await new Promise((done) => exec('sleep 10', { timeout: 50 }, show('timeout', done)));
  await new Promise((done) => exec('sleep 10', { timeout: 50, killSignal: 'SIGKILL' }, show('kill', done)));
  await new Promise((done) => exec('head -c 100 /dev/zero | tr "\\0" x', { maxBuffer: 10 }, show('limit', done)));
  await new Promise((done) => exec('echo bytes', { encoding: 'buffer' }, show('buffer', done)));
  const controller = new AbortController();
  const aborted = new Promise((done) => exec('sleep 10', { signal: controller.signal }, (err) => { console.log(err.name, err.code, err.cmd); done(); }));
  setTimeout(() => controller.abort(), 30);
  await aborted;
  console.log(await promisify(exec)('echo promised'));
  await promisify(execFile)('sh', ['-c', 'echo x; exit 2']).catch((err) => console.log(err.message, err.code, err.stdout, err.stderr));
  const child = exec('cat', (err, stdout) => console.log('cat', stdout));
  child.stdin.end('through cat');
})();
