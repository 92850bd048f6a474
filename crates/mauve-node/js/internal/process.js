// The process object.

const native = binding('process');
const host = binding('host');

// The version of Node that the modules are compatible with.
const VERSION = '20.20.2';

exports.install = function install() {
  const EventEmitter = require('events');
  class ProcessPrototype extends EventEmitter {}
  Object.defineProperty(ProcessPrototype, 'name', { value: 'process' });
  Object.setPrototypeOf(process, ProcessPrototype.prototype);
  EventEmitter.call(process);
  Object.defineProperty(process, Symbol.toStringTag,
    { value: 'process', configurable: true, writable: false, enumerable: false });

  defineInfo();
  process.env = require('internal/process/env').createEnv();
  process.nextTick = require('internal/process/ticks').nextTick;
  defineExit();
  defineClocks();
  defineSystem();
  require('internal/process/warning').install();
  require('internal/process/signals').install();
  require('internal/process/stdio').install();
};

function defineInfo() {
  process.title = 'mauve';
  process.version = `v${VERSION}`;
  process.versions = Object.freeze({ node: VERSION, mauve: '0.1.0', uv: '1.52.2', modules: '115', quickjs: 'ng' });
  process.arch = 'x64';
  process.platform = 'linux';
  process.release = { name: 'node', lts: 'Iron' };
  process.pid = native.pid;
  Object.defineProperty(process, 'ppid', { get: native.ppid, enumerable: true });
  process.execPath = native.executable();
  process.execArgv = host.execArgv;
  process.argv0 = host.argv0;
  process.argv = [process.execPath, ...host.args];
  process.features = {
    inspector: false, debug: false, uv: true, ipv6: true, require_module: false, tls_alpn: false, tls_sni: false,
    tls_ocsp: false, tls: false, cached_builtins: true,
  };
  const variables = Object.freeze({ node_module_version: 115 });
  process.config = Object.freeze({ target_defaults: Object.freeze({}), variables });
}

function defineExit() {
  let isExiting = false;
  Object.defineProperty(process, '_exiting', {
    configurable: true,
    enumerable: true,
    get: () => isExiting,
    set(is) {
      isExiting = Boolean(is);
      if (isExiting) binding('timers').observeTicks();
    },
  });
  let exitCode;
  Object.defineProperty(process, 'exitCode', {
    enumerable: true,
    get: () => exitCode,
    set(code) {
      if (code !== null && code !== undefined) {
        const number = Number(code);
        const value = typeof code === 'string' && code !== '' && Number.isInteger(number)
          ? number : code;
        require('internal/validators').validateInteger(value, 'code');
        code = value;
      }
      exitCode = code;
    },
  });
  process.exit = function exit(code) {
    if (arguments.length !== 0) process.exitCode = code;
    if (!process._exiting) {
      process._exiting = true;
      process.emit('exit', process.exitCode || 0);
    }
    process.reallyExit(process.exitCode || 0);
  };
  process.reallyExit = (code) => native.reallyExit(code | 0);
  process.abort = native.abort;
  process._fatalException = (error, fromPromise) => {
    require('internal/process/fatal').uncaughtException(error, fromPromise);
    return true;
  };
  process.setUncaughtExceptionCaptureCallback = function setCapture(callback) {
    const fatal = require('internal/process/fatal');
    const { codes } = require('internal/errors');
    if (callback !== null && typeof callback !== 'function') {
      throw new codes.ERR_INVALID_ARG_TYPE('fn', ['Function', 'null'], callback);
    }
    if (callback !== null && fatal.hasCaptureCallback()) {
      throw new codes.ERR_UNCAUGHT_EXCEPTION_CAPTURE_ALREADY_SET();
    }
    fatal.setCaptureCallback(callback);
  };
  process.hasUncaughtExceptionCaptureCallback =
    () => require('internal/process/fatal').hasCaptureCallback();
}

function defineClocks() {
  process.hrtime = function hrtime(time) {
    const [seconds, nanos] = native.hrtimeParts();
    if (time === undefined) return [seconds, nanos];
    const { validateArray } = require('internal/validators');
    validateArray(time, 'time');
    if (time.length !== 2) {
      const { codes } = require('internal/errors');
      throw new codes.ERR_OUT_OF_RANGE('time', 2, time.length);
    }
    const sec = seconds - time[0];
    const nsec = nanos - time[1];
    return nsec < 0 ? [sec - 1, nsec + 1e9] : [sec, nsec];
  };
  process.hrtime.bigint = () => {
    const [seconds, nanos] = native.hrtimeParts();
    return BigInt(seconds) * 1000000000n + BigInt(nanos);
  };
  const start = native.uptimeStart();
  process.uptime = () => (native.hrtime() - start) / 1000;
}

function defineSystem() {
  process.cwd = function cwd() {
    try {
      return native.cwd();
    } catch (errno) {
      throw require('internal/errors').uvException({ errno, syscall: 'uv_cwd' });
    }
  };
  process.chdir = function chdir(directory) {
    require('internal/validators').validateString(directory, 'directory');
    try {
      native.chdir(directory);
    } catch (errno) {
      throw require('internal/errors').uvException(
        { errno, syscall: 'chdir', path: process.cwd(), dest: directory });
    }
  };
  process.memoryUsage = function memoryUsage() {
    const [rss, heapTotal, heapUsed] = native.memory();
    return { rss, heapTotal, heapUsed, external: 0, arrayBuffers: 0 };
  };
  process.availableMemory = () => require('os').freemem();
  process.constrainedMemory = () => 0;
  process.setSourceMapsEnabled = function setSourceMapsEnabled(on) {
    const errors = require('internal/errors');
    require('internal/validators').validateBoolean(on, 'val');
    if (on) throw new errors.codes.ERR_NOT_SUPPORTED('process.setSourceMapsEnabled()');
  };
  process.memoryUsage.rss = () => native.memory()[0];
  process.umask = umask;
  process.getBuiltinModule = function getBuiltinModule(id) {
    require('internal/validators').validateString(id, 'id');
    const modules = require('internal/modules/registry');
    const found = modules.builtinId(id);
    return found && modules.requireBuiltin(found);
  };
  process.assert = function assert(value, message) {
    require('internal/process/warning').deprecate(
      'process.assert() is deprecated. Please use the `assert` module instead.', 'DEP0100');
    if (!value) throw Object.assign(new Error(message ?? 'assertion error'), { code: 'ERR_ASSERTION' });
  };
  process.dlopen = function dlopen(module, filename) {
    throw Object.assign(new Error(`${filename}: mauve does not load addons`), { code: 'ERR_DLOPEN_FAILED' });
  };
  process._rawDebug = (...args) => binding('stdio').writeText(2, `${require('util').format(...args)}\n`);
  for (const name of ['getuid', 'geteuid', 'getgid', 'getegid']) {
    process[name] = native[name];
  }
  // Node adds the effective group.
  process.getgroups = () => [...new Set([...native.getgroups(), native.getegid()])];
  require('internal/process/credentials').install();
  process.cpuUsage = function cpuUsage(previous) {
    const [user, system] = native.cpuUsage();
    if (previous) checkUsage(previous);
    return previous ? { user: user - previous.user, system: system - previous.system }
      : { user, system };
  };
  process.resourceUsage = () => {
    const [user, system, maxRSS, minor, major, reads, writes, voluntary, involuntary] = native.cpuUsage();
    return {
      userCPUTime: user,
      systemCPUTime: system,
      maxRSS,
      // Linux does not maintain the fields that are 0.
      sharedMemorySize: 0,
      unsharedDataSize: 0,
      unsharedStackSize: 0,
      minorPageFault: minor,
      majorPageFault: major,
      swappedOut: 0,
      fsRead: reads,
      fsWrite: writes,
      ipcSent: 0,
      ipcReceived: 0,
      signalsCount: 0,
      voluntaryContextSwitches: voluntary,
      involuntaryContextSwitches: involuntary,
    };
  };
  process.openStdin = () => process.stdin.resume();
  process.getActiveResourcesInfo = () => binding('perf').activeResources();
  const { refuse } = require('internal/errors');
  refuse(process, 'process', ['_getActiveHandles', '_getActiveRequests']);
  refuse(process.report = {}, 'process.report', ['getReport', 'writeReport']);
  process.loadEnvFile = function loadEnvFile(path = '.env') {
    const values = require('util').parseEnv(require('fs').readFileSync(path, 'utf8'));
    // Variables that are set keep their values.
    Object.assign(process.env, values, { ...process.env });
  };
  process.binding = function processBinding(name) {
    throw new Error(`No such module: ${name}`);
  };
  process.allowedNodeEnvironmentFlags = new Set();
}

function umask(mask) {
  if (mask === undefined) return native.umask();
  if (typeof mask === 'string') {
    if (!/^[0-7]+$/.test(mask)) {
      const { codes } = require('internal/errors');
      throw new codes.ERR_INVALID_ARG_VALUE('mask', mask, 'must be a 32-bit unsigned integer or an octal string');
    }
    mask = Number.parseInt(mask, 8);
  }
  require('internal/validators').validateUint32(mask, 'mask');
  return native.umask(mask);
}

// Checks the argument of process.cpuUsage().
function checkUsage(previous) {
  const { codes } = require('internal/errors');
  require('internal/validators').validateObject(previous, 'prevValue');
  for (const name of ['user', 'system']) {
    const value = previous[name];
    if (typeof value !== 'number') throw new codes.ERR_INVALID_ARG_TYPE(`prevValue.${name}`, 'number', value);
    if (!(value >= 0 && value <= Number.MAX_SAFE_INTEGER)) {
      throw new codes.ERR_INVALID_ARG_VALUE.RangeError(`prevValue.${name}`, value);
    }
  }
}
