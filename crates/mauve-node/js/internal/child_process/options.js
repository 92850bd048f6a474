// Checks the arguments and options of child_process and converts them for the binding.
const { codes } = require('internal/errors');
const validators = require('internal/validators');
const { numbers: signals } = binding('signals');

function checkNullBytes(value, name) {
  if (typeof value === 'string' && value.includes('\0')) throw new codes.ERR_INVALID_ARG_VALUE(name, value, 'must be a string without null bytes');
}

// (file), (file, args), (file, options), (file, args, options).
function normalize(file, args, options) {
  validators.validateString(file, 'file');
  checkNullBytes(file, 'file');
  if (file.length === 0) throw new codes.ERR_INVALID_ARG_VALUE('file', file, 'cannot be empty');
  if (Array.isArray(args)) {
    args = [...args];
  } else if (args == null) {
    args = [];
  } else if (typeof args !== 'object') {
    throw new codes.ERR_INVALID_ARG_TYPE('args', 'object', args);
  } else {
    options = args;
    args = [];
  }
  args.forEach((arg, i) => checkNullBytes(arg, `args[${i}]`));
  if (options === undefined) options = {};
  else validators.validateObject(options, 'options');
  // Inherited properties of Object.prototype are not options.
  options = { __proto__: null, ...options };
  const { cwd, detached, uid, gid, shell, argv0, serialization } = options;
  let directory = cwd;
  if (directory != null) {
    if (typeof directory === 'object' && directory.href) directory = require('url').fileURLToPath(directory);
    if (typeof directory !== 'string') throw new codes.ERR_INVALID_ARG_TYPE('options.cwd', ['string', 'Buffer', 'URL'], cwd);
    checkNullBytes(directory, 'options.cwd');
  }
  if (detached != null) validators.validateBoolean(detached, 'options.detached');
  if (uid != null) checkInt32(uid, 'options.uid');
  if (gid != null) checkInt32(gid, 'options.gid');
  if (shell != null && typeof shell !== 'boolean' && typeof shell !== 'string') {
    throw new codes.ERR_INVALID_ARG_TYPE('options.shell', ['boolean', 'string'], shell);
  }
  validators.validateOneOf(serialization, 'options.serialization', [undefined, 'json', 'advanced']);
  if (serialization === 'advanced') throw new codes.ERR_MAUVE_NOT_IMPLEMENTED("serialization: 'advanced'");
  if (argv0 != null) {
    validators.validateString(argv0, 'options.argv0');
    checkNullBytes(argv0, 'options.argv0');
  }
  for (const name of ['windowsHide', 'windowsVerbatimArguments']) {
    if (options[name] != null) validators.validateBoolean(options[name], `options.${name}`);
  }

  if (typeof shell === 'string') checkNullBytes(shell, 'options.shell');
  if (shell) {
    const command = [file, ...args].join(' ');
    file = typeof shell === 'string' ? shell : '/bin/sh';
    args = ['-c', command];
  }
  const env = options.env || process.env;
  const pairs = [];
  for (const key in env) {
    const value = env[key];
    if (value === undefined) continue;
    checkNullBytes(key, `options.env['${key}']`);
    checkNullBytes(String(value), `options.env['${key}']`);
    pairs.push(`${key}=${value}`);
  }
  return {
    __proto__: null,
    ...options,
    file,
    args: [typeof argv0 === 'string' ? argv0 : file, ...args.map(String)],
    env: pairs,
    cwd: directory,
    detached: !!detached,
    shell: !!shell,
  };
}

function checkInt32(value, name) {
  if (typeof value !== 'number' || value !== (value | 0)) throw new codes.ERR_INVALID_ARG_TYPE(name, 'int32', value);
}

// The number of a signal.
function toSignal(signal, fallback = 'SIGTERM') {
  if (signal === undefined || signal === null) signal = fallback;
  if (typeof signal === 'number') {
    if (Object.values(signals).includes(signal)) return signal;
    throw new codes.ERR_UNKNOWN_SIGNAL(signal);
  }
  if (typeof signal !== 'string') throw new codes.ERR_INVALID_ARG_TYPE('signal', ['string', 'number'], signal);
  const name = [signal, signal.toUpperCase()].find((given) => Object.hasOwn(signals, given));
  if (name === undefined) throw new codes.ERR_UNKNOWN_SIGNAL(signal);
  return signals[name];
}

const signalName = (number) => Object.keys(signals).find((name) => signals[name] === number) ?? null;

// What the binding takes for a descriptor of the child, besides the number of a descriptor to inherit.
const IGNORE = -1;
const PIPE = -2;

// Converts the option `stdio`. `channel` is the index of the IPC channel, -1 if there is none.
function toStdio(stdio, isSync) {
  stdio ??= 'pipe';
  const isName = ['ignore', 'pipe', 'overlapped', 'inherit'].includes(stdio);
  if (!isName && !Array.isArray(stdio)) throw new codes.ERR_INVALID_ARG_VALUE('stdio', stdio);
  stdio = isName ? [stdio, stdio, stdio] : [...stdio];
  while (stdio.length < 3) stdio.push(undefined);
  let channel = -1;
  const descriptors = stdio.map((value, i) => {
    value ??= i < 3 ? 'pipe' : 'ignore';
    if (value === 'ignore') return IGNORE;
    if (value === 'pipe' || value === 'overlapped' || (typeof value === 'number' && value < 0)) return PIPE;
    if (value === 'inherit') return i;
    if (value === 'ipc') {
      if (isSync) throw new codes.ERR_IPC_SYNC_FORK();
      if (channel !== -1) throw new codes.ERR_IPC_ONE_PIPE();
      channel = i;
      return PIPE;
    }
    if (typeof value === 'number') return value;
    const fd = typeof value?.fd === 'number' ? value.fd : value?._handle?.fd;
    if (typeof fd === 'number') return fd;
    if (ArrayBuffer.isView(value) || typeof value === 'string') throw new codes.ERR_INVALID_SYNC_FORK_INPUT(require('util').inspect(value));
    throw new codes.ERR_INVALID_ARG_VALUE('stdio', value);
  });
  return { descriptors, channel };
}

// The program, as the binding takes it.
function toNative({ file, args, env, cwd, detached, uid, gid }, descriptors) {
  return { file, args: args ?? [file], env: env ?? [], cwd: cwd || undefined, detached: !!detached, uid, gid, stdio: descriptors };
}

module.exports = { PIPE, normalize, signalName, toNative, toSignal, toStdio };
