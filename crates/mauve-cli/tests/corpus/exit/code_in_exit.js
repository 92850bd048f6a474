// Listeners of 'exit' decide about the exit code, after an uncaught error too. Microtasks that they queue
// run, ticks do not.
const { spawnSync } = require('child_process');

const scripts = {
  zero: `process.on('exit', (code) => { console.log(code); process.exitCode = 0; }); throw new Error('x');`,
  three: `process.on('exit', (code) => { console.log(code); process.exitCode = 3; }); throw new Error('x');`,
  undefined: `process.on('exit', () => { process.exitCode = undefined; }); throw new Error('x');`,
  microtask: `process.on('exit', () => { Promise.resolve().then(() => { console.log('microtask'); process.exitCode = 4; });
    process.nextTick(() => console.log('tick')); queueMicrotask(() => console.log('queued')); });`,
  afterError: `process.on('exit', () => { Promise.resolve().then(() => console.log('microtask')); }); throw new Error('x');`,
  afterExit: `process.on('exit', () => { Promise.resolve().then(() => console.log('microtask')); }); process.exit(5);`,
  beforeExit: `process.once('beforeExit', () => { process.nextTick(() => console.log('tick')); throw 1; });
    process.on('uncaughtException', (e) => console.log('caught', e)); process.on('exit', (code) => console.log('exit', code));`,
};
for (const [name, text] of Object.entries(scripts)) {
  const child = spawnSync(process.execPath, ['-e', text], { encoding: 'utf8' });
  console.log(name, child.status, JSON.stringify(child.stdout));
}
