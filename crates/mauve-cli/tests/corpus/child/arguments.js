// Arguments of child_process: checks, encodings, an empty working directory, internal messages.
const { exec, execFile, execFileSync, fork, spawn, spawnSync, ChildProcess } = require('child_process');
const { promisify } = require('util');
const report = (call) => { try { call(); } catch (error) { console.log(error.code, error.message); } };
report(() => promisify(exec)('true', { signal: {} }));
report(() => promisify(execFile)('true', { signal: {} }));
report(() => new ChildProcess().spawn());
report(() => new ChildProcess().spawn({ file: 'x', args: 3 }));
report(() => spawn('true', { argv0: 'a\0b' }));
report(() => spawnSync('true', { windowsVerbatimArguments: 1 }));
report(() => execFileSync('true', [], 'x'));
report(() => fork(__filename, [], 'x'));
report(() => spawn('true', { serialization: 'other' }));
console.log(spawnSync('true', { maxBuffer: undefined }).status);
spawn('pwd', { cwd: '' }).on('close', (code) => {
  console.log('close', code);
  const child = exec('echo äöü', { encoding: null, maxBuffer: 3 }, (error, stdout) => console.log(error.code, stdout));
  child.stdout.setEncoding('utf8');
});
