// Workers in an ES module: messages between two workers, a worker in a worker, and many messages.
import { MessageChannel, Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import { fileURLToPath } from 'node:url';

if (isMainThread) {
  const { port1, port2 } = new MessageChannel();
  const file = new URL(import.meta.url);
  const first = new Worker(file, { workerData: { role: 'first', port: port1 }, transferList: [port1] });
  const second = new Worker(file, { workerData: { role: 'second', port: port2 }, transferList: [port2] });
  const results = await Promise.all([first, second].map((worker) => new Promise((resolve) => {
    worker.on('message', resolve);
  })));
  console.log(results, typeof fileURLToPath(file));
  const outer = new Worker(file, { workerData: { role: 'outer' } });
  outer.on('message', (message) => console.log(message));
  outer.on('exit', (code) => console.log('outer', code));
} else if (workerData.role === 'first') {
  let sum = 0;
  workerData.port.on('message', (value) => {
    sum += value;
    if (value === 0) {
      parentPort.postMessage(sum);
      workerData.port.close();
    }
  });
} else if (workerData.role === 'second') {
  for (let value = 3000; value >= 0; value--) workerData.port.postMessage(value);
  // Only a listener for messages keeps the thread running.
  workerData.port.on('message', () => {});
  workerData.port.on('close', () => parentPort.postMessage('closed'));
} else {
  const inner = new Worker('require("worker_threads").parentPort.postMessage("from the inner worker")', { eval: true });
  inner.on('message', (message) => parentPort.postMessage(message));
  inner.on('exit', (code) => parentPort.postMessage(code));
}
