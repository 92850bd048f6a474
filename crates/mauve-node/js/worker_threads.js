// The module 'worker_threads': threads with loops and engines of their own, and ports for messages.
const EventEmitter = require('events');
const { codes, refuse } = require('internal/errors');
const messaging = require('internal/messaging');
const state = require('internal/worker/state');
const { Readable, Writable } = require('stream');
const { validateArray } = require('internal/validators');
const native = binding('workers');
const SHARE_ENV = Symbol.for('nodejs.worker_threads.SHARE_ENV');
// As in Node, whose limits belong to V8.
const LIMITS = { maxYoungGenerationSizeMb: -1, maxOldGenerationSizeMb: -1, codeRangeSizeMb: -1, stackSizeMb: 4 };

// The file of a worker, or its code.
function source(filename, options) {
  const path = require('path');
  const { URL, fileURLToPath } = require('url');
  if (options.eval) {
    if (typeof filename !== 'string') throw new codes.ERR_INVALID_ARG_VALUE('options.eval', options.eval, 'must be false when \'filename\' is not a string');
    return { code: filename };
  }
  if (filename instanceof URL) return { filename: fileURLToPath(filename) };
  if (typeof filename !== 'string') throw new codes.ERR_INVALID_ARG_TYPE('filename', ['string', 'URL'], filename);
  if (!path.isAbsolute(filename) && !/^\.\.?[\\/]/.test(filename)) throw new codes.ERR_WORKER_PATH(filename);
  return { filename: path.resolve(filename) };
}

class Worker extends EventEmitter {
  #id;
  #port;
  #control;
  #streams;
  #name;
  #exited = Promise.withResolvers();

  constructor(filename, options = {}) {
    super();
    if (options.execArgv) validateArray(options.execArgv, 'options.execArgv');
    if (options.argv) validateArray(options.argv, 'options.argv');
    if (options.env !== undefined && options.env !== null && options.env !== SHARE_ENV && typeof options.env !== 'object') {
      throw new codes.ERR_INVALID_ARG_TYPE('options.env', ['object', 'undefined', 'null', 'worker_threads.SHARE_ENV'], options.env);
    }
    if (options.env === SHARE_ENV) throw new codes.ERR_MAUVE_NOT_IMPLEMENTED('SHARE_ENV');
    this.#name = `${options.name ?? 'WorkerThread'}`.replaceAll('\0', '');
    // The channel of the modules comes first: if both have messages, its are delivered first.
    const [control, port] = [new messaging.MessageChannel(), new messaging.MessageChannel()];
    const limits = { ...LIMITS, ...options.resourceLimits };
    control.port1.postMessage({ ...source(filename, options), workerData: options.workerData, env: { ...(options.env ?? process.env) },
      argv: options.argv?.map(String) ?? [], name: this.#name, hasStdin: Boolean(options.stdin), limits,
      environment: state.environment, execArgv: options.execArgv ?? process.execArgv }, options.transferList);
    this.#port = port.port1;
    this.#control = control.port1;
    this.#createStreams(options);
    Object.defineProperty(this, 'resourceLimits', { value: limits, enumerable: false, configurable: true, writable: true });
    const problem = native.checkFlags(options.execArgv ?? []);
    if (problem !== undefined) throw new codes.ERR_WORKER_INVALID_EXEC_ARGV([problem]);
    const { kClone } = require('internal/structured_clone');
    const ends = [port.port2, control.port2].map((one) => one[kClone](true));
    this.#id = native.start(options.execArgv, ends, this.#name, (code) => this.#onExit(code));
    this.#control.on('message', (message) => this.#onControl(message));
    this.#control.unref();
    this.#port.on('message', (message) => this.emit('message', message));
    this.#port.on('messageerror', (error) => this.emit('messageerror', error));
    this.#port.unref();
    this.performance = {};
    refuse(this.performance, 'worker.performance', ['eventLoopUtilization']);
    process.nextTick(() => process.emit('worker', this));
  }

  #createStreams({ stdin, stdout, stderr }) {
    const [out, error] = ['stdout', 'stderr'].map(() => new Readable({ read() {} }));
    const write = (chunk, encoding, callback) => {
      this.#control.postMessage({ stdin: chunk });
      callback();
    };
    const final = (callback) => write(null, null, callback);
    this.#streams = { stdin: stdin ? new Writable({ write, final }) : null, stdout: out, stderr: error };
    if (!stdout) out.pipe(process.stdout, { end: false });
    if (!stderr) error.pipe(process.stderr, { end: false });
  }

  #onControl(message) {
    if ('online' in message) this.emit('online');
    else if ('error' in message) this.emit('error', message.properties ? Object.assign(message.error, message.properties) : message.error);
    else for (const name of Object.keys(message)) this.#streams[name].push(Buffer.from(message[name]));
  }

  #onExit(code) {
    messaging.drain(this.#control);
    messaging.drain(this.#port);
    this.#id = undefined;
    this.#streams.stdout.push(null);
    this.#streams.stderr.push(null);
    this.#port.close();
    this.#control.close();
    this.#exited.resolve(code);
    this.emit('exit', code);
  }

  get threadId() { return this.#id ?? -1; }
  get threadName() { return this.#id === undefined ? null : this.#name; }
  get stdin() { return this.#streams.stdin; }
  get stdout() { return this.#streams.stdout; }
  get stderr() { return this.#streams.stderr; }
  postMessage(...args) { if (this.#id !== undefined) this.#port.postMessage(...args); }

  terminate() {
    if (this.#id === undefined) return Promise.resolve();
    this.ref();
    native.terminate(this.#id);
    return this.#exited.promise;
  }

  ref() { if (this.#id !== undefined) native.setRef(this.#id, true); }
  unref() { if (this.#id !== undefined) native.setRef(this.#id, false); }
  async [Symbol.asyncDispose]() { await this.terminate(); }
}
refuse(Worker.prototype, 'worker', ['getHeapSnapshot', 'getHeapStatistics', 'cpuUsage', 'startCpuProfile', 'startHeapProfile']);

const { BroadcastChannel, MessageChannel, MessagePort } = messaging;
module.exports = require('internal/stand_in')('worker_threads', {
  BroadcastChannel, MessageChannel, MessagePort, SHARE_ENV, Worker,
  isMainThread: state.isMainThread,
  markAsUntransferable: (object) => { messaging.untransferable.add(object); },
  isMarkedAsUntransferable: (object) => messaging.untransferable.has(object),
  receiveMessageOnPort: messaging.receive,
  resourceLimits: state.limits,
  threadId: state.threadId,
  threadName: state.name,
  parentPort: state.parentPort,
  workerData: state.workerData,
  setEnvironmentData(key, value) {
    if (value === undefined) state.environment.delete(key);
    else state.environment.set(key, value);
  },
  getEnvironmentData: (key) => state.environment.get(key),
});
