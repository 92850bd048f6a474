// SharedArrayBuffer in messages and workerData: threads wait for each other with Atomics.
const { Worker, isMainThread, workerData, parentPort } = require('worker_threads');
if (isMainThread) {
  const memory = new SharedArrayBuffer(16);
  const numbers = new Int32Array(memory);
  const clone = structuredClone({ memory, numbers, again: memory });
  numbers[3] = 9;
  console.log(clone.numbers[3], clone.memory === clone.again, clone.numbers.buffer === clone.memory, clone.memory.byteLength);
  const worker = new Worker(__filename, { workerData: { numbers, memory } });
  worker.on('message', (message) => {
    console.log('message', message.view[1], message.view.buffer instanceof SharedArrayBuffer);
    worker.postMessage(memory);
  });
  worker.on('exit', (code) => console.log('exit', code, [...numbers]));
  console.log(Atomics.wait(numbers, 0, 0, 10000), numbers[0]);
  numbers[1] = 5;
  Atomics.store(numbers, 2, 1);
  Atomics.notify(numbers, 2);
  console.log(Atomics.wait(numbers, 0, 3), Atomics.wait(numbers, 3, 9, 10));
  try { require('v8').serialize(memory); } catch (error) { console.log(error.name, error.message); }
} else {
  const { numbers, memory } = workerData;
  if (numbers.buffer !== memory) throw new Error('two memories');
  setTimeout(() => {
    Atomics.store(numbers, 0, 7);
    Atomics.notify(numbers, 0);
    Atomics.wait(numbers, 2, 0);
    const view = new Uint8Array(memory, 0, 8);
    numbers[1] = 258;
    parentPort.postMessage({ view: new Int32Array(memory) });
    parentPort.once('message', (shared) => { new Int32Array(shared)[1]++; view[0] = 1; });
  }, 20);
}
