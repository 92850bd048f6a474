// Makes the world that a script finds: the process object, the globals, and the functions that
// the host calls. What a short script does not need is loaded when it is first asked for.

const host = binding('host');

module.exports = function bootstrap({ publicIds, requireBuiltin }) {
  require('internal/stack').install();
  require('internal/phrases').install();
  require('internal/process').install();
  const modules = require('internal/modules/registry');
  modules.publicIds = publicIds;
  modules.requireBuiltin = requireBuiltin;
  installGlobals();

  const fatal = require('internal/process/fatal');
  const rejections = require('internal/process/rejections');
  host.setHooks({
    start,
    uncaught: fatal.uncaught,
    rejections: rejections.note,
    beforeExit,
    exit,
    resolveImport: (base, name) => require('internal/modules/esm').resolveImport(base, name),
    loadImport: (name, type) => require('internal/modules/esm').loadImport(name, type),
  });
};

function start() {
  // A parent that forked us has left a channel for messages.
  if (process.env.NODE_CHANNEL_FD) require('internal/child_process/channel').attachToParent();
  if (host.eval !== undefined && host.eval !== null) {
    require('internal/modules/main').evaluate(host.eval, host.print);
  } else if (host.script) {
    require('internal/modules/main').run(host.script);
  } else {
    require('internal/repl').start();
  }
}

function beforeExit() {
  process.emit('beforeExit', process.exitCode || 0);
}

// Emits 'exit', and says how the process ends.
function exit() {
  process._exiting = true;
  process.emit('exit', process.exitCode || 0);
  // A module that still waits for something that can no longer come.
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
  lazily('console', 'console', (exports) => exports, false);
  for (const [id, names] of Object.entries(LAZY)) {
    for (const name of names) lazily(name, id, (exports) => exports[name], ENUMERABLE.has(name));
  }
}

// Globals by the module that has them.
const LAZY = {
  buffer: ['Buffer', 'Blob', 'File', 'atob', 'btoa'],
  url: ['URL', 'URLSearchParams'],
  util: ['TextEncoder', 'TextDecoder'],
  perf_hooks: ['performance', 'PerformanceObserver', 'PerformanceEntry', 'PerformanceMark',
    'PerformanceMeasure', 'PerformanceObserverEntryList'],
  'internal/structured_clone': ['structuredClone'],
  'internal/event_target': ['Event', 'EventTarget', 'CustomEvent'],
  'internal/abort_controller': ['AbortController', 'AbortSignal'],
  'internal/dom_exception': ['DOMException'],
};

const ENUMERABLE = new Set(['structuredClone', 'atob', 'btoa', 'performance']);

function define(name, value) {
  Object.defineProperty(globalThis, name,
    { value, writable: true, enumerable: false, configurable: true });
}

function defineEnumerable(name, value) {
  Object.defineProperty(globalThis, name,
    { value, writable: true, enumerable: true, configurable: true });
}

function lazily(name, id, pick, enumerable) {
  Object.defineProperty(globalThis, name, {
    get() {
      const value = pick(require(id));
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
