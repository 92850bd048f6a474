// Atomics.waitAsync and notify() between threads.
const { Worker, isMainThread, workerData: array = new Int32Array(new SharedArrayBuffer(16)) } = require('worker_threads');
const wait = (index) => Atomics.waitAsync(array, index, 0).value;
const notify = (index) => {
  Atomics.store(array, index, 1);
  // The other thread may not wait yet.
  const timer = setInterval(() => { if (Atomics.notify(array, index) > 0) clearInterval(timer); }, 1);
};
if (isMainThread) {
  const worker = new Worker(__filename, { workerData: array });
  worker.on('message', (message) => console.log(message));
  worker.on('exit', (code) => console.log('exit', code));
  wait(0).then((value) => {
    console.log('main', value, array[0]);
    notify(1);
  });
} else {
  const { parentPort } = require('worker_threads');
  const alive = setInterval(() => {}, 1000);
  wait(1).then((value) => {
    parentPort.postMessage(`worker ${value} ${array[1]}`);
    clearInterval(alive);
    // This wait ends with the thread.
    wait(2);
  });
  notify(0);
}
