// Starts the script of a worker: prepares the process object, and connects it with the parent.
const { codes } = require('internal/errors');
const fatal = require('internal/process/fatal');
const messaging = require('internal/messaging');
const state = require('internal/worker/state');
const native = binding('workers');
const UNSUPPORTED = ['chdir', 'abort', 'setuid', 'seteuid', 'setgid', 'setegid', 'setgroups', 'initgroups'];

function prepareProcess({ filename, argv, env }) {
  process.argv = [process.execPath, filename ?? '[worker eval]', ...argv];
  process.env = require('internal/process/env').createEnv(env);
  process.reallyExit = (code) => native.exit(code | 0);
  for (const name of UNSUPPORTED) process[name] = () => { throw new codes.ERR_WORKER_UNSUPPORTED_OPERATION(`process.${name}()`); };
  const { umask } = process;
  process.umask = (mask) => {
    if (mask !== undefined) throw new codes.ERR_WORKER_UNSUPPORTED_OPERATION('Setting process.umask()');
    return umask();
  };
}

function createStreams(control, hasStdin) {
  const { Readable, Writable } = require('stream');
  class ReadableWorkerStdio extends Readable {}
  class WritableWorkerStdio extends Writable {}
  const stdin = new ReadableWorkerStdio({ read() { if (hasStdin) control.ref(); } });
  control.on('message', ({ stdin: chunk }) => stdin.push(chunk && Buffer.from(chunk)));
  control.unref();
  stdin.on('end', () => control.unref());
  if (!hasStdin) stdin.push(null);
  const define = (name, value) => Object.defineProperty(process, name, { value, configurable: true, enumerable: true });
  define('stdin', stdin);
  for (const [index, name] of ['stdout', 'stderr'].entries()) {
    const write = (chunk, encoding, callback) => {
      control.postMessage({ [name]: chunk });
      callback();
    };
    define(name, require('internal/stdio').streams[index + 1] = new WritableWorkerStdio({ write }));
  }
}

module.exports = function start([threadId, port, controlId]) {
  const control = messaging.adopt(controlId);
  const { message: given } = messaging.receive(control);
  prepareProcess(given);
  createStreams(control, given.hasStdin);
  const { workerData = null, limits, name, environment } = given;
  Object.assign(state, { isMainThread: false, threadId, name, limits, workerData, environment, parentPort: messaging.adopt(port) });
  fatal.report = (error) => {
    try {
      control.postMessage({ error, properties: error instanceof Error ? { ...error } : undefined });
    } catch {
      control.postMessage({ error: require('internal/util/inspect').inspect(error) });
    }
  };
  control.postMessage({ online: true });
  const main = require('internal/modules/main');
  if (given.code === undefined) main.run(given.filename);
  else main.evaluate(given.code, '[worker eval]', false);
};
