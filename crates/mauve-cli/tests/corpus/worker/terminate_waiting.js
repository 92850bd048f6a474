// terminate() ends a thread that Atomics.wait blocks.
const { Worker } = require('worker_threads');
const w = new Worker("const { parentPort } = require('worker_threads'); parentPort.postMessage('ready'); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);", { eval: true });
w.on('message', () => setTimeout(async () => { console.log('terminated', await w.terminate()); }, 50));
w.on('exit', (c) => console.log('exit', c));
