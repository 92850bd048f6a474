// The process object.
const native = binding('process');
const { codes } = require('internal/errors');
const host = binding('host');

// The version of Node that the modules are compatible with.
const VERSION = '24.21.0';

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
  process.versions = Object.freeze({ node: VERSION, mauve: '0.1.0', uv: '1.53.0', modules: '137', quickjs: 'ng' });
  process.arch = 'x64';
  process.platform = 'linux';
  process.release = { name: 'node', lts: 'Krypton' };
  process.pid = native.pid;
  Object.defineProperty(process, 'ppid', { get: native.ppid, enumerable: true });
  process.execPath = native.executable();
  process.execArgv = host.execArgv;
  process.argv0 = host.argv0;
  process.argv = [process.execPath, ...host.args];
  process.features = {
    inspector: false, debug: false, uv: true, ipv6: true, tls_alpn: false, tls_sni: false, tls_ocsp: false, tls: false,
    openssl_is_boringssl: false, cached_builtins: true, require_module: true, quic: false, typescript: false,
  };
  const variables = Object.freeze({ node_module_version: 137 });
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
    if (callback !== null && typeof callback !== 'function') throw new codes.ERR_INVALID_ARG_TYPE('fn', ['Function', 'null'], callback);
    if (callback !== null && fatal.hasCaptureCallback()) throw new codes.ERR_UNCAUGHT_EXCEPTION_CAPTURE_ALREADY_SET();
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
    if (time.length !== 2) throw new codes.ERR_OUT_OF_RANGE('time', 2, time.length);
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
    require('internal/validators').validateBoolean(on, 'enabled');
    if (on) throw new errors.codes.ERR_MAUVE_NOT_IMPLEMENTED('process.setSourceMapsEnabled()');
  };
  process.memoryUsage.rss = () => native.memory()[0];
  process.umask = umask;
  process.getBuiltinModule = function getBuiltinModule(id) {
    require('internal/validators').validateString(id, 'id');
    const modules = require('internal/modules/registry');
    const found = modules.builtinId(id);
    return found && modules.requireBuiltin(found);
  };
  process.dlopen = function dlopen(module, filename) {
    throw Object.assign(new Error(`${filename}: mauve does not load addons`), { code: 'ERR_DLOPEN_FAILED' });
  };
  process._rawDebug = (...args) => binding('stdio').writeText(2, `${require('util').format(...args)}\n`);
  for (const name of ['getuid', 'geteuid', 'getgid', 'getegid']) process[name] = native[name];
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
    const values = native.cpuUsage();
    return Object.fromEntries(RESOURCES.map((name) => [name, UNMAINTAINED.has(name) ? 0 : values.shift()]));
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
  process.binding = function processBinding(name) { throw new Error(`No such module: ${name}`); };
  process.allowedNodeEnvironmentFlags = new Set();
}

function umask(mask) {
  if (mask === undefined) return native.umask();
  return native.umask(require('internal/validators').parseFileMode(mask, 'mask'));
}

// The properties of process.resourceUsage(), and those that Linux does not maintain.
const RESOURCES = [
  'userCPUTime', 'systemCPUTime', 'maxRSS', 'sharedMemorySize', 'unsharedDataSize', 'unsharedStackSize',
  'minorPageFault', 'majorPageFault', 'swappedOut', 'fsRead', 'fsWrite', 'ipcSent', 'ipcReceived', 'signalsCount',
  'voluntaryContextSwitches', 'involuntaryContextSwitches',
];
const UNMAINTAINED = new Set(['sharedMemorySize', 'unsharedDataSize', 'unsharedStackSize', 'swappedOut', 'ipcSent', 'ipcReceived', 'signalsCount']);

// Checks the argument of process.cpuUsage().
function checkUsage(previous) {
  require('internal/validators').validateObject(previous, 'prevValue');
  for (const name of ['user', 'system']) {
    const value = previous[name];
    if (typeof value !== 'number') throw new codes.ERR_INVALID_ARG_TYPE(`prevValue.${name}`, 'number', value);
    if (!(value >= 0 && value <= Number.MAX_SAFE_INTEGER)) throw new codes.ERR_INVALID_ARG_VALUE.RangeError(`prevValue.${name}`, value);
  }
}
