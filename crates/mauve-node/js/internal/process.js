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
  process.execArgv = [];
  process.argv0 = 'mauve';
  process.argv = [process.execPath, ...(host.script ? [host.script] : []), ...host.args];
  process.features = { inspector: false, debug: false, uv: true, ipv6: true, tls: false };
  process.config = { target_defaults: {}, variables: { node_module_version: 115 } };
}

function defineExit() {
  process._exiting = false;
  let exitCode;
  Object.defineProperty(process, 'exitCode', {
    configurable: true,
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
  process.memoryUsage.rss = () => native.memory()[0];
  process.umask = native.umask;
  for (const name of ['getuid', 'geteuid', 'getgid', 'getegid', 'getgroups']) {
    process[name] = native[name];
  }
  // Node adds the effective group.
  process.getgroups = () => [...new Set([...native.getgroups(), native.getegid()])];
  process.cpuUsage = function cpuUsage(previous) {
    const [user, system] = native.cpuUsage();
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
  process.getActiveResourcesInfo = () => binding('perf').activeResources();
  require('internal/errors').refuse(process, 'process', ['_getActiveHandles', '_getActiveRequests']);
  process.binding = function processBinding(name) {
    throw new Error(`No such module: ${name}`);
  };
  process.allowedNodeEnvironmentFlags = new Set();
}
