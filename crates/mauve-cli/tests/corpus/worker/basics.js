// A worker: its data, events, arguments, process object and exit codes.
const { Worker, isMainThread, parentPort, workerData, threadId, threadName, setEnvironmentData, getEnvironmentData, SHARE_ENV } =
  require('worker_threads');

const codes = {
  throws: 'throw Object.assign(new TypeError("boo"), { code: "E_BOO", extra: [1] })',
  'throws a value': 'throw 5',
  'throws a function': 'throw () => {}',
  rejects: 'Promise.reject(new RangeError("async"))',
  exits: 'process.exit(5); console.log("not reached")',
  'exits in a callback': 'setTimeout(() => { try { process.exit(6) } finally { console.log("not reached") } }, 1); setInterval(() => {}, 1000)',
  'has a code': 'process.exitCode = 7; process.on("exit", (code) => require("worker_threads").parentPort.postMessage("exit " + code))',
  catches: 'process.on("uncaughtException", (error) => require("worker_threads").parentPort.postMessage(error.message)); throw new Error("caught")',
};

function run(entries) {
  if (entries.length === 0) return terminates();
  const [[name, code], ...rest] = entries;
  const worker = new Worker(code, { eval: true });
  worker.on('error', (error) => console.log(name, error instanceof Error, error?.name ?? error, error?.message, error?.code, error?.extra));
  worker.on('message', (message) => console.log(name, 'message', message));
  worker.on('exit', (exitCode) => {
    console.log(name, 'exit', exitCode);
    run(rest);
  });
}

function terminates() {
  const worker = new Worker('require("worker_threads").parentPort.postMessage("up"); for (;;);', { eval: true });
  worker.on('message', async () => console.log('terminated', await worker.terminate(), await worker.terminate()));
  worker.on('exit', (code) => {
    console.log('exit', code, worker.threadId, worker.threadName);
    const idle = new Worker('setInterval(() => {}, 1000); require("worker_threads").parentPort.postMessage("up")', { eval: true });
    idle.on('message', () => idle.terminate());
    idle.on('exit', (exitCode) => {
      console.log('idle', exitCode);
      const quiet = new Worker('setInterval(() => {}, 1000)', { eval: true });
      quiet.unref();
    });
  });
}

if (isMainThread) {
  setEnvironmentData('key', { a: 1 });
  const data = { x: 1, map: new Map([[1, 2]]), bytes: new Uint8Array([1, 2]) };
  process.env.OF_MAIN = 'main';
  const worker = new Worker(__filename, { workerData: data, argv: ['one', 2], name: 'the name', transferList: [data.bytes.buffer] });
  console.log(worker.threadId, worker.threadName, data.bytes.length, worker.stdin, SHARE_ENV);
  worker.on('online', () => console.log('online'));
  worker.on('message', (message) => console.log('main', message));
  worker.on('exit', (code) => {
    console.log('exit', code, worker.threadId, process.env.OF_WORKER);
    run(Object.entries(codes));
  });
  worker.postMessage({ hi: new Set([1]) });
} else {
  const unsupported = ['chdir', 'abort', 'setuid', 'setgid', 'initgroups'].map((name) => {
    try {
      return process[name]('/');
    } catch (error) {
      return `${error.name} ${error.code} ${error.message}`;
    }
  });
  process.env.OF_WORKER = 'worker';
  const streams = [process.stdin, process.stdout, process.stderr].map((stream) => stream.constructor.name);
  parentPort.once('message', (message) => {
    parentPort.postMessage([message, workerData, threadId > 0, threadName, process.argv.slice(2), process.env.OF_MAIN, getEnvironmentData('key')]);
    parentPort.postMessage([unsupported, streams, isMainThread, process.argv[1] === __filename, require.main === module]);
  });
}
