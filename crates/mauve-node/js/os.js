// The module 'os'.
const native = binding('os');
const validators = require('internal/validators');
const [sysname, release, version, machine] = native.describe();

// A function that converts to its result, as in `${os.platform}`.
function withToPrimitive(name, get) {
  const fn = { [name]: () => get() }[name];
  return Object.defineProperty(fn, Symbol.toPrimitive, { value: get });
}

// Calls the binding and converts an errno that it throws to a SystemError.
function callNative(syscall, call) {
  try {
    return call();
  } catch (errno) {
    if (typeof errno !== 'number') throw errno;
    const info = { errno, code: binding('errno').name(errno), message: binding('errno').message(errno), syscall };
    const err = new Error(`A system error occurred: ${syscall} returned ${info.code} (${info.message})`);
    throw Object.assign(err, { code: 'ERR_SYSTEM_ERROR', name: 'SystemError', info, errno, syscall });
  }
}

function cpus() {
  return native.processors().map(([model, speed, user, nice, sys, idle, irq]) => ({ model, speed, times: { user, nice, sys, idle, irq } }));
}

const networkInterfaces = () => callNative('uv_interface_addresses', native.interfaces);

function userInfo(options) {
  const { Buffer } = require('buffer');
  const user = callNative('uv_os_get_passwd', native.user);
  const encode = (text) => (options?.encoding === 'buffer' ? Buffer.from(text) : text);
  return Object.assign(Object.create(null), {
    uid: user.uid,
    gid: user.gid,
    username: encode(user.username),
    homedir: encode(user.homedir),
    shell: encode(user.shell),
  });
}

function tmpdir() {
  const path = process.env.TMPDIR || process.env.TMP || process.env.TEMP || '/tmp';
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}

function getPriority(pid) {
  if (pid === undefined) pid = 0;
  else validators.validateInt32(pid, 'pid');
  return callNative('uv_os_getpriority', () => native.getPriority(pid));
}

function setPriority(pid, priority) {
  if (priority === undefined) {
    priority = pid;
    pid = 0;
  }
  validators.validateInt32(pid, 'pid');
  validators.validateInt32(priority, 'priority', -20, 19);
  callNative('uv_os_setpriority', () => native.setPriority(pid, priority));
}

const isLittle = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;
const bare = (table) => Object.freeze(Object.assign(Object.create(null), table));

const constants = Object.assign(Object.create(null), {
  UV_UDP_REUSEADDR: 4,
  dlopen: bare({ RTLD_LAZY: 1, RTLD_NOW: 2, RTLD_GLOBAL: 256, RTLD_LOCAL: 0, RTLD_DEEPBIND: 8 }),
  errno: bare(native.errors()),
  signals: bare(binding('signals').numbers),
  priority: bare({
    PRIORITY_LOW: 19,
    PRIORITY_BELOW_NORMAL: 10,
    PRIORITY_NORMAL: 0,
    PRIORITY_ABOVE_NORMAL: -7,
    PRIORITY_HIGH: -14,
    PRIORITY_HIGHEST: -20,
  }),
});

module.exports = {
  arch: withToPrimitive('arch', () => process.arch),
  availableParallelism: withToPrimitive('availableParallelism', native.parallelism),
  cpus,
  endianness: withToPrimitive('endianness', () => isLittle ? 'LE' : 'BE'),
  freemem: withToPrimitive('freemem', () => native.freeMemory()),
  getPriority,
  homedir: withToPrimitive('homedir', () => callNative('uv_os_homedir', native.homeDirectory)),
  hostname: withToPrimitive('hostname', native.hostName),
  loadavg: () => native.loadAverage(),
  networkInterfaces,
  platform: withToPrimitive('platform', () => process.platform),
  release: withToPrimitive('release', () => release),
  setPriority,
  tmpdir: withToPrimitive('tmpdir', tmpdir),
  totalmem: withToPrimitive('totalmem', () => native.totalMemory()),
  type: withToPrimitive('type', () => sysname),
  userInfo,
  uptime: withToPrimitive('uptime', () => native.uptime()),
  version: withToPrimitive('version', () => version),
  machine: withToPrimitive('machine', () => machine),
  constants,
  EOL: '\n',
  devNull: '/dev/null',
};

for (const name of ['EOL', 'devNull']) Object.defineProperty(module.exports, name, { writable: false, configurable: true, enumerable: true });
