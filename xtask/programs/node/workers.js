// worker threads: separate loops, messages, shared memory, termination
'use strict';
const fs = require('fs');
const { once } = require('events');
const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');
const { assert, main } = require('./lib/check');

async function primary() {
  const shared = new Int32Array(new SharedArrayBuffer(8));
  const workers = Array.from({ length: 6 }, (_, id) => new Worker(__filename, { workerData: { id, shared } }));
  const sizes = await Promise.all(workers.map((worker) => once(worker, 'message').then(([size]) => size)));
  sizes.forEach((size) => assert.strictEqual(size, fs.statSync(__filename).size));
  for (let i = 0; i < 100; i++) {
    await Promise.all(workers.map(async (worker) => {
      worker.postMessage(i);
      assert.strictEqual((await once(worker, 'message'))[0], i * 2);
    }));
  }
  assert.strictEqual(shared[0], 600);
  workers.slice(0, 3).forEach((worker) => worker.postMessage('end'));
  const ends = workers.map((worker) => once(worker, 'exit'));
  workers.slice(3).forEach((worker) => worker.terminate());
  assert.deepStrictEqual((await Promise.all(ends)).map(([code]) => code), [0, 0, 0, 1, 1, 1]);

  // Terminates workers that are busy, wait for a timer, or read files.
  for (const code of ['for (;;);', 'setInterval(() => {}, 1)', 'const fs = require("fs"); ' +
    'const again = () => fs.readFile("/proc/self/maps", again); for (let i = 0; i < 50; i++) again()']) {
    const worker = new Worker(code, { eval: true });
    await once(worker, 'online');
    assert.strictEqual(await worker.terminate(), 1);
  }
}

async function secondary() {
  const { shared } = workerData;
  await new Promise((resolve) => setTimeout(resolve, 5));
  parentPort.postMessage((await fs.promises.readFile(__filename)).length);
  parentPort.on('message', (message) => {
    if (message === 'end') return parentPort.close();
    Atomics.add(shared, 0, 1);
    parentPort.postMessage(message * 2);
  });
}

if (isMainThread) main(primary); else secondary();
