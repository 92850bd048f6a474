// Sets up the process object, the globals, and the hooks that the Rust host calls. Modules that most
// scripts do not need are loaded on first use.

const host = binding('host');

module.exports = function bootstrap({ publicIds, requireBuiltin }) {
  require('internal/stack').install();
  require('internal/v8_messages').install();
  require('internal/process').install();
  const modules = require('internal/modules/registry');
  modules.publicIds = publicIds;
  modules.requireBuiltin = requireBuiltin;
  installGlobals();
  installAtomicsWait();
  installZoneNames();

  const fatal = require('internal/process/fatal');
  const rejections = require('internal/process/rejections');
  host.setHooks({
    start() {
      start();
      require('internal/async_state').endMain();
    },
    uncaughtException: fatal.uncaughtException,
    rejections: rejections.processRejections,
    beforeExit,
    exit,
    exitCode,
    resolveImport: (base, name) => require('internal/modules/esm').resolveImport(base, name),
    loadImport: (name, type) => require('internal/modules/esm').loadImport(name, type),
  });
};

function start() {
  // A parent process that used fork() has passed an IPC channel.
  if (process.env.NODE_CHANNEL_FD) require('internal/child_process/channel').attachToParent();
  const options = require('internal/options');
  const [script] = host.args;
  const isEval = host.eval !== undefined && host.eval !== null;
  if (!isEval && script === undefined && (options.has('--interactive') || process.stdin.isTTY)) {
    require('internal/repl').start();
    return;
  }
  const main = require('internal/modules/main');
  if (options.has('--require')) main.preload(options.all('--require'));
  if (isEval) main.evaluate(host.eval, '[eval]', host.print);
  else if (script === undefined || script === '-') main.runStdin();
  else if (options.has('--require')) require('internal/modules/cjs').runMain(script);
  else main.run(script);
}

function beforeExit() {
  require('internal/async_state').tracker?.flushDestroyed();
  process.emit('beforeExit', process.exitCode || 0);
}

function exit() {
  process._exiting = true;
  process.emit('exit', process.exitCode || 0);
}

function exitCode() {
  // A top-level await that never settled.
  if (host.isUnsettled() && process.exitCode === undefined) return 13;
  return process.exitCode || 0;
}

function installGlobals() {
  define('global', globalThis);
  Object.defineProperty(globalThis, Symbol.toStringTag,
    { value: 'global', writable: false, enumerable: false, configurable: true });
  define('process', process);
  const timers = require('timers');
  for (const name of ['clearImmediate', 'setImmediate', 'clearInterval', 'clearTimeout',
    'setInterval', 'setTimeout']) {
    defineEnumerable(name, timers[name]);
  }
  defineEnumerable('queueMicrotask', require('internal/process/ticks').queueMicrotask);
  defineLazy('console', 'console', (exports) => exports, false);
  for (const [id, names] of Object.entries(LAZY)) {
    for (const name of names) defineLazy(name, id, (exports) => exports[name], ENUMERABLE.has(name));
  }
}

// Lazily loaded globals, by the module that exports them.
const LAZY = {
  buffer: ['Buffer', 'Blob', 'File', 'atob', 'btoa'],
  url: ['URL', 'URLSearchParams'],
  util: ['TextEncoder', 'TextDecoder'],
  perf_hooks: ['performance', 'Performance', 'PerformanceObserver', 'PerformanceEntry', 'PerformanceMark',
    'PerformanceMeasure', 'PerformanceObserverEntryList'],
  'internal/structured_clone': ['structuredClone'],
  'internal/event_target': ['Event', 'EventTarget', 'CustomEvent'],
  'internal/abort_controller': ['AbortController', 'AbortSignal'],
  'internal/dom_exception': ['DOMException'],
};

const ENUMERABLE = new Set(['structuredClone', 'atob', 'btoa', 'performance']);

// The engine refuses to block the main thread. There are no other threads that could notify it.
function installAtomicsWait() {
  const { sleep } = binding('process');
  const native = Atomics.wait;
  Atomics.wait = { wait(array, index, value, timeout) {
    const isWaitable = (array instanceof Int32Array || array instanceof BigInt64Array) &&
      array.buffer instanceof SharedArrayBuffer;
    // For other arguments the engine throws.
    if (!isWaitable) return native(array, index, value, timeout);
    if (Atomics.load(array, index) !== value) return 'not-equal';
    const limit = timeout === undefined ? Infinity : Number(timeout);
    sleep(Number.isNaN(limit) ? Infinity : Math.max(0, limit));
    return 'timed-out';
  } }.wait;
}

// The engine does not name the time zone of a date.
function installZoneNames() {
  const { timeZone } = binding('process');
  for (const name of ['toString', 'toTimeString']) {
    const native = Date.prototype[name];
    Date.prototype[name] = { [name]() {
      const text = Reflect.apply(native, this, []);
      if (!/GMT[+-]\d+$/.test(text)) return text;
      const zone = timeZone(Math.floor(Date.prototype.getTime.call(this) / 1000));
      return `${text} (${/^(UTC|Universal|Zulu)$/.test(zone) ? 'Coordinated Universal Time' : zone})`;
    } }[name];
  }
}

function define(name, value) {
  Object.defineProperty(globalThis, name,
    { value, writable: true, enumerable: false, configurable: true });
}

function defineEnumerable(name, value) {
  Object.defineProperty(globalThis, name,
    { value, writable: true, enumerable: true, configurable: true });
}

function defineLazy(name, id, getValue, enumerable) {
  Object.defineProperty(globalThis, name, {
    get() {
      const value = getValue(require(id));
      set(value);
      return value;
    },
    set,
    enumerable,
    configurable: true,
  });
  function set(value) {
    Object.defineProperty(globalThis, name,
      { value, writable: true, enumerable, configurable: true });
  }
}
