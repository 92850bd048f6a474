// Arguments that Worker refuses, and the names in the module.
const threads = require('worker_threads');
const { Worker } = threads;
console.log(Object.keys(threads).join(), threads.isMainThread, threads.threadId, threads.parentPort, threads.workerData, threads.resourceLimits);
for (const args of [[5], ['relative.js'], [''], ['/x.js', { workerData: () => {} }], [new URL('http://x')], ['1', { eval: true, argv: 5 }],
  ['1', { eval: true, execArgv: ['--foo'] }], ['1', { eval: true, execArgv: 5 }], ['1', { eval: true, env: 5 }], [new URL('file:///x'), { eval: true }]]) {
  try {
    console.log(new Worker(...args));
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}
try {
  Worker('x');
} catch (error) {
  console.log(error.name, error.message);
}
const missing = new Worker('./does-not-exist.js');
missing.on('error', (error) => console.log(error.code, error.message.replace(/'.*'/s, '')));
missing.on('exit', (code) => console.log('exit', code, missing.terminate() instanceof Promise));
