// The module 'child_process'.
const { abortError, onAbortUntil } = require('internal/abort');
const { codes, errnoException } = require('internal/errors');
const validators = require('internal/validators');
const { Buffer } = require('buffer');
const { PIPE, normalize, signalName, toNative, toSignal, toStdio } = require('internal/child_process/options');
const { ChildProcess, abortWith } = require('internal/child_process/child');
const native = binding('spawn');
const MAX_BUFFER = 1024 * 1024;
const EXEC_DEFAULTS = { cwd: null, env: null, shell: false, encoding: 'utf8', maxBuffer: MAX_BUFFER, timeout: 0, killSignal: 'SIGTERM' };

function checkTimeout(timeout) {
  if (timeout != null && !(Number.isInteger(timeout) && timeout >= 0)) throw new codes.ERR_OUT_OF_RANGE('timeout', 'an unsigned integer', timeout);
}

function checkMaxBuffer(maxBuffer) {
  if (maxBuffer != null && !(typeof maxBuffer === 'number' && maxBuffer >= 0)) {
    throw new codes.ERR_OUT_OF_RANGE('options.maxBuffer', 'a positive number', maxBuffer);
  }
}

function spawn(file, args, options) {
  options = normalize(file, args, options);
  checkTimeout(options.timeout);
  validators.validateAbortSignal(options.signal, 'options.signal');
  const killSignal = toSignal(options.killSignal);
  const child = new ChildProcess();
  child.spawn(options);
  if (options.timeout > 0) {
    let timer = setTimeout(() => {
      timer = null;
      try {
        child.kill(killSignal);
      } catch (err) {
        child.emit('error', err);
      }
    }, options.timeout);
    child.once('exit', () => timer && clearTimeout(timer));
  }
  if (options.signal) abortWith(child, options.signal, killSignal);
  return child;
}

// (file[, args][, options][, callback]), without the file.
function execFileArguments(args, options, callback) {
  if (typeof args === 'function') return { args: [], options: null, callback: args };
  const isOptions = args != null && typeof args === 'object' && !Array.isArray(args);
  if (isOptions) return { args: [], options: args, callback: options };
  const list = Array.isArray(args) ? [...args] : args ?? [];
  return typeof options === 'function' ? { args: list, callback: options } : { args: list, options, callback };
}

function execFile(file, args, options, callback) {
  const given = execFileArguments(args, options, callback);
  if (given.options != null) validators.validateObject(given.options, 'options');
  if (given.callback != null) validators.validateFunction(given.callback, 'callback');
  return spawnForExec(file, given.args, { ...EXEC_DEFAULTS, ...given.options }, given.callback);
}

function spawnForExec(file, args, options, callback) {
  checkTimeout(options.timeout);
  checkMaxBuffer(options.maxBuffer);
  options.killSignal = signalName(toSignal(options.killSignal));
  const { timeout, signal, ...spawnOptions } = options;
  validators.validateAbortSignal(signal, 'options.signal');
  const child = spawn(file, args, { ...spawnOptions, stdio: undefined });
  collectOutput(child, file, args, options, callback);
  return child;
}

// Collects the output of the child and calls back when it has ended.
function collectOutput(child, file, args, options, callback) {
  const { maxBuffer, killSignal } = options;
  const isText = options.encoding && options.encoding !== 'buffer' && Buffer.isEncoding(options.encoding);
  const encoding = isText ? options.encoding : null;
  const outputs = { stdout: [], stderr: [] };
  const lengths = { stdout: 0, stderr: 0 };
  let failure = null;
  let killed = false;
  let isFinished = false;
  let timer = null;

  function finish(code, signal) {
    if (isFinished) return;
    isFinished = true;
    clearTimeout(timer);
    if (!callback) return;
    // The script may have set an encoding.
    const join = (name) => (encoding || child[name]?.readableEncoding ? outputs[name].join('') : Buffer.concat(outputs[name]));
    const stdout = join('stdout');
    const stderr = join('stderr');
    if (!failure && code === 0 && signal === null) {
      callback(null, stdout, stderr);
      return;
    }
    const command = args.length ? `${file} ${args.join(' ')}` : file;
    failure ??= Object.assign(new Error(`Command failed: ${command}\n${stderr}`), {
      code: code < 0 ? binding('errno').name(code) : code, killed: child.killed || killed, signal,
    });
    failure.cmd = command;
    callback(failure, stdout, stderr);
  }
  function kill() {
    child.stdout?.destroy();
    child.stderr?.destroy();
    killed = true;
    try {
      child.kill(killSignal);
    } catch (err) {
      failure ??= err;
      finish();
    }
  }
  if (options.timeout > 0) timer = setTimeout(kill, options.timeout);
  if (options.signal) {
    onAbortUntil(options.signal, child, 'close', () => {
      failure ??= abortError(options.signal);
      kill();
    });
  }
  for (const name of ['stdout', 'stderr']) {
    const stream = child[name];
    if (!stream) continue;
    if (encoding) stream.setEncoding(encoding);
    stream.on('data', (chunk) => {
      const length = typeof chunk === 'string' ? Buffer.byteLength(chunk, stream.readableEncoding) : chunk.length;
      const room = maxBuffer - lengths[name];
      lengths[name] += length;
      if (lengths[name] <= maxBuffer) {
        outputs[name].push(chunk);
        return;
      }
      outputs[name].push(chunk.slice(0, room));
      failure = new codes.ERR_CHILD_PROCESS_STDIO_MAXBUFFER(name);
      kill();
    });
  }
  child.on('close', finish);
  child.on('error', (err) => {
    failure = err;
    child.stdout?.destroy();
    child.stderr?.destroy();
    finish();
  });
}

// (command[, options][, callback]), without the command.
function execArguments(command, options, callback) {
  validators.validateString(command, 'command');
  const [given, onExit] = typeof options === 'function' ? [undefined, options] : [options, callback];
  const shell = typeof given?.shell === 'string' ? given.shell : true;
  return { options: { ...given, shell }, callback: onExit };
}

function exec(command, options, callback) {
  const normal = execArguments(command, options, callback);
  return execFile(command, normal.options, normal.callback);
}

const promisified = Symbol.for('nodejs.util.promisify.custom');
for (const fn of [exec, execFile]) {
  Object.defineProperty(fn, promisified, {
    value: (...args) => {
      let settle;
      const promise = new Promise((resolve, reject) => {
        settle = (err, stdout, stderr) => {
          if (err) reject(Object.assign(err, { stdout, stderr }));
          else resolve({ stdout, stderr });
        };
      });
      // Invalid arguments throw.
      promise.child = fn(...args, settle);
      return promise;
    },
  });
}

function spawnSync(file, args, options) {
  options = { __proto__: null, maxBuffer: MAX_BUFFER, ...normalize(file, args, options) };
  checkTimeout(options.timeout);
  checkMaxBuffer(options.maxBuffer);
  const killSignal = toSignal(options.killSignal);
  const { descriptors } = toStdio(options.stdio ?? 'pipe', true);
  const inputs = descriptors.map(() => null);
  if (options.input != null && descriptors[0] === PIPE) {
    const { input } = options;
    if (ArrayBuffer.isView(input)) inputs[0] = new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
    else if (typeof input === 'string') inputs[0] = Buffer.from(input, options.encoding === 'buffer' ? undefined : options.encoding);
    else throw new codes.ERR_INVALID_ARG_TYPE('options.stdio[0]', ['Buffer', 'TypedArray', 'DataView', 'string'], input);
  }
  const program = toNative(options, descriptors);
  const timeout = options.timeout ?? 0;
  const maxBuffer = Math.min(options.maxBuffer ?? Infinity, Number.MAX_VALUE);
  let ended;
  try {
    ended = native.spawnSync(program, inputs, timeout, maxBuffer, killSignal);
  } catch (errno) {
    if (typeof errno !== 'number') throw errno;
    return { error: spawnError(errno, options), status: null, signal: null, output: null, pid: 0, stdout: undefined, stderr: undefined };
  }
  const decode = (bytes) => {
    if (bytes === null) return null;
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return options.encoding && options.encoding !== 'buffer' ? buffer.toString(options.encoding) : buffer;
  };
  const output = ended.output.map((bytes, i) => (i === 0 ? null : decode(bytes)));
  return {
    ...(ended.error === 0 ? {} : { error: spawnError(ended.error, options) }),
    status: ended.signal ? null : ended.status,
    signal: ended.signal ? signalName(ended.signal) : null,
    output,
    pid: ended.pid,
    stdout: output[1],
    stderr: output[2],
  };
}

function spawnError(errno, options) {
  const err = errnoException(errno, `spawnSync ${options.file}`);
  err.path = options.file;
  err.spawnargs = options.args.slice(1);
  return err;
}

// The error that the sync forms throw for a failed child, null if it succeeded.
function failureOf(result, args, command) {
  if (result.error) return Object.assign(result.error, { ...result, error: null });
  if (result.status === 0) return null;
  let message = `Command failed: ${command ?? args.join(' ')}`;
  if (result.stderr && result.stderr.length > 0) message += `\n${result.stderr.toString()}`;
  return Object.assign(new Error(message), result);
}

function runSync(file, args, options, command) {
  const inherits = !options.stdio;
  const result = spawnSync(file, args, options);
  if (inherits && result.stderr) process.stderr.write(result.stderr);
  const failure = failureOf(result, [options.argv0 || file, ...args], command);
  if (failure) throw failure;
  return result.stdout;
}

function execFileSync(file, args, options) {
  if (args != null && !Array.isArray(args)) {
    options = args;
    args = [];
  }
  if (options != null) validators.validateObject(options, 'options');
  return runSync(file, args ?? [], { ...options });
}

function execSync(command, options) {
  const normal = execArguments(command, options);
  return runSync(command, [], normal.options, command);
}

function fork(modulePath, args, options) {
  if (typeof modulePath === 'object' && modulePath?.href) modulePath = require('url').fileURLToPath(modulePath);
  if (typeof modulePath !== 'string') throw new codes.ERR_INVALID_ARG_TYPE('modulePath', ['string', 'Buffer', 'URL'], modulePath);
  if (args != null && !Array.isArray(args)) {
    validators.validateObject(args, 'args');
    options = args;
    args = [];
  }
  if (options != null) validators.validateObject(options, 'options');
  options = { __proto__: null, ...options };
  const silent = options.silent ? 'pipe' : 'inherit';
  if (typeof options.stdio === 'string') {
    if (!['ignore', 'inherit', 'overlapped', 'pipe'].includes(options.stdio)) throw new codes.ERR_INVALID_ARG_VALUE('stdio', options.stdio);
    options.stdio = [options.stdio, options.stdio, options.stdio, 'ipc'];
  } else if (!Array.isArray(options.stdio)) {
    options.stdio = [silent, silent, silent, 'ipc'];
  } else if (!options.stdio.includes('ipc')) {
    throw new codes.ERR_CHILD_PROCESS_IPC_REQUIRED('options.stdio');
  }
  const program = options.execPath || process.execPath;
  const execArgv = options.execArgv ?? process.execArgv;
  return spawn(program, [...execArgv, modulePath, ...(args ?? [])], { ...options, shell: false });
}

module.exports = { _forkChild: () => {}, ChildProcess, exec, execFile, execFileSync, execSync, fork, spawn, spawnSync };
