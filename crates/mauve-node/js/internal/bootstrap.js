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
  installZoneNames();
  installIntl();

  const fatal = require('internal/process/fatal');
  const rejections = require('internal/process/rejections');
  host.setHooks({
    start() {
      start();
      require('internal/async_state').endMain();
    },
    uncaughtException: fatal.uncaughtException,
    rejections: rejections.processRejections,
    beforeExit, exit, exitCode,
    resolveImport: (base, name) => require('internal/modules/esm').resolveImport(base, name),
    loadImport: (name, type) => require('internal/modules/esm').loadImport(name, type),
  });
};

function start() {
  // A parent process that used fork() has passed an IPC channel.
  if (process.env.NODE_CHANNEL_FD) require('internal/child_process/channel').attachToParent();
  const worker = binding('workers').take();
  if (worker) {
    require('internal/worker/main')(worker);
    return;
  }
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
  process.emit('exit', exitCode());
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
    define(name, timers[name], true);
  }
  define('queueMicrotask', require('internal/process/ticks').queueMicrotask, true);
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
  'internal/messaging': ['MessageChannel', 'MessagePort', 'MessageEvent', 'BroadcastChannel'],
  'internal/event_target': ['Event', 'EventTarget', 'CustomEvent'],
  'internal/abort_controller': ['AbortController', 'AbortSignal'],
  'internal/dom_exception': ['DOMException'],
  'stream/web': ['ReadableStream', 'ReadableStreamDefaultReader', 'ReadableStreamBYOBReader', 'ReadableStreamBYOBRequest',
    'ReadableByteStreamController', 'ReadableStreamDefaultController', 'TransformStream', 'TransformStreamDefaultController',
    'WritableStream', 'WritableStreamDefaultController', 'WritableStreamDefaultWriter', 'ByteLengthQueuingStrategy',
    'CountQueuingStrategy', 'TextEncoderStream', 'TextDecoderStream', 'CompressionStream', 'DecompressionStream'],
  'internal/fetch': ['fetch', 'FormData', 'Headers', 'Request', 'Response'],
  'internal/crypto/webcrypto': ['crypto', 'Crypto', 'CryptoKey', 'SubtleCrypto'],
};

const ENUMERABLE = new Set(['structuredClone', 'atob', 'btoa', 'performance', 'crypto', 'fetch']);

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

// The methods of the engine know no languages.
function installIntl() {
  const intl = () => require('internal/intl');
  defineLazy('Intl', 'internal/intl', (exports) => exports.Intl, false);
  for (const [Class, names] of [[String, ['localeCompare']], [Number, ['toLocaleString']], [BigInt, ['toLocaleString']],
    [Date, ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString']]]) {
    for (const name of names) {
      const { length } = Class.prototype[name];
      const value = { [name](...args) { return intl()[name === 'toLocaleString' ? `${Class.name}Text` : name](this, ...args); } }[name];
      Object.defineProperty(value, 'length', { value: length });
      Object.defineProperty(Class.prototype, name, { value });
    }
  }
}

function define(name, value, enumerable = false) {
  Object.defineProperty(globalThis, name, { value, writable: true, enumerable, configurable: true });
}

function defineLazy(name, id, getValue, enumerable) {
  const options = { isKept: true, enumerable, enumerableWhenSet: enumerable };
  require('internal/util/getters').defineComputed(globalThis, name, () => getValue(require(id)), options);
}
