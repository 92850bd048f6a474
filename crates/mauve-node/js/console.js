// The global console and the class Console. Each call writes to its stream
// synchronously, so lines keep the order of the calls.
const { formatWithOptionsInternal } = require('internal/util/format');
const GROUP_WIDTH = 2;

function lazyCodes() { return require('internal/errors').codes; }
const ignore = () => {};

// The callback of writes to a stream. Streams combine consecutive calls of one function.
const errorCallbacks = new WeakMap();

function errorCallback(stream) {
  let callback = errorCallbacks.get(stream);
  if (callback === undefined) {
    callback = (error) => {
      const isSilent = !error || stream._writableState?.errorEmitted || stream.listenerCount?.('error') !== 0;
      if (!isSilent) stream.once('error', ignore);
    };
    errorCallbacks.set(stream, callback);
  }
  return callback;
}

class ConsoleClass {
  #out;
  #err;
  #ignoreErrors;
  #colorMode;
  #inspectOptions;
  #groupWidth;
  #indent = '';
  #counts = new Map();
  #timers = new Map();

  constructor(options, ...rest) {
    const isStream = !options || typeof options.write === 'function';
    const settings = isStream ? { stdout: options, stderr: rest[0], ignoreErrors: rest[1] } : options;
    const { stdout, stderr = stdout, ignoreErrors = true, colorMode = 'auto', inspectOptions, groupIndentation } = settings;
    if (inspectOptions?.colors !== undefined && settings.colorMode !== undefined) {
      throw new (lazyCodes().ERR_INCOMPATIBLE_OPTION_PAIR)('options.inspectOptions.color', 'colorMode');
    }
    if (inspectOptions !== undefined) require('internal/validators').validateObject(inspectOptions, 'options.inspectOptions');
    if (groupIndentation !== undefined) require('internal/validators').validateInteger(groupIndentation, 'groupIndentation', 0, 1000);
    // The global console passes functions: its streams are created on first use.
    if (typeof stdout !== 'function') {
      const { ERR_CONSOLE_WRITABLE_STREAM } = lazyCodes();
      if (!stdout || typeof stdout.write !== 'function') throw new ERR_CONSOLE_WRITABLE_STREAM('stdout');
      if (!stderr || typeof stderr.write !== 'function') throw new ERR_CONSOLE_WRITABLE_STREAM('stderr');
      require('internal/validators').validateOneOf(colorMode, 'colorMode', ['auto', true, false]);
    }
    this.#out = stdout;
    this.#err = stderr;
    this.#ignoreErrors = ignoreErrors;
    this.#colorMode = colorMode;
    this.#inspectOptions = inspectOptions;
    this.#groupWidth = groupIndentation ?? GROUP_WIDTH;
    Object.defineProperties(this, {
      _stdout: { get: () => this.#stream(this.#out), set: (stream) => { this.#out = stream; }, configurable: true },
      _stderr: { get: () => this.#stream(this.#err), set: (stream) => { this.#err = stream; }, configurable: true },
      _times: { value: this.#timers, writable: true, configurable: true },
    });
    // Methods are bound, for `const { log } = console`.
    for (const name of METHODS) {
      const method = this[name];
      Object.defineProperty(this, name, {
        value: Object.defineProperty((...args) => Reflect.apply(method, this, args), 'name', { value: name }),
        writable: true,
        enumerable: true,
        configurable: true,
      });
    }
  }

  #stream(which) { return typeof which === 'function' ? which() : which; }

  #options(stream) {
    const colors = this.#colorMode === 'auto' ?
      Boolean(stream.isTTY && (typeof stream.getColorDepth !== 'function' || stream.getColorDepth() > 2)) :
      this.#colorMode;
    if (this.#inspectOptions !== undefined) {
      return this.#inspectOptions.colors === undefined ? { ...this.#inspectOptions, colors } : this.#inspectOptions;
    }
    return colors ? { colors: true } : undefined;
  }

  #write(which, text) {
    const stream = this.#stream(which);
    if (this.#indent !== '') text = this.#indent + text.replaceAll('\n', `\n${this.#indent}`);
    text += '\n';
    if (!this.#ignoreErrors) {
      stream.write(text);
      return;
    }
    // A failed write to a closed stdout must not end the program.
    const isHandled = stream.listenerCount?.('error') !== 0;
    try {
      if (!isHandled) stream.once('error', ignore);
      stream.write(text, errorCallback(stream));
    } catch (error) {
      if (require('internal/errors').isStackOverflowError(error)) throw error;
    } finally {
      if (!isHandled) stream.removeListener('error', ignore);
    }
  }

  #print(which, args) { this.#write(which, formatWithOptionsInternal(this.#options(this.#stream(which)), args)); }
  log(...args) { this.#print(this.#out, args); }
  info(...args) { this.#print(this.#out, args); }
  debug(...args) { this.#print(this.#out, args); }
  warn(...args) { this.#print(this.#err, args); }
  error(...args) { this.#print(this.#err, args); }
  dirxml(...args) { this.#print(this.#out, args); }

  dir(value, options) {
    const { inspect } = require('internal/util/inspect');
    this.#write(this.#out, inspect(value, { customInspect: false, ...this.#options(this.#stream(this.#out)), ...options }));
  }

  trace(...args) {
    const error = { name: 'Trace', message: formatWithOptionsInternal(this.#options(this.#stream(this.#err)), args) };
    const holder = new Error();
    const frames = String(holder.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line)).slice(2);
    const head = error.message === '' ? 'Trace' : `Trace: ${error.message}`;
    this.#write(this.#err, [head, ...frames].join('\n'));
  }

  assert(condition, ...args) {
    if (condition) return;
    if (typeof args[0] === 'string') args[0] = `Assertion failed: ${args[0]}`;
    else args.unshift(args.length === 0 ? 'Assertion failed' : 'Assertion failed:');
    this.#print(this.#err, args);
  }

  clear() {
    const stream = this.#stream(this.#out);
    if (stream.isTTY && process.env.TERM !== 'dumb') stream.write('\u001b[1;1H\u001b[0J');
  }

  count(label = 'default') {
    label = `${label}`;
    const count = (this.#counts.get(label) ?? 0) + 1;
    this.#counts.set(label, count);
    this.log(`${label}: ${count}`);
  }

  countReset(label = 'default') {
    label = `${label}`;
    if (!this.#counts.delete(label)) process.emitWarning(`Count for '${label}' does not exist`);
  }

  group(...args) {
    if (args.length > 0) this.log(...args);
    this.#indent += ' '.repeat(this.#groupWidth);
  }

  groupCollapsed(...args) { this.group(...args); }
  groupEnd() { this.#indent = this.#indent.slice(0, Math.max(0, this.#indent.length - this.#groupWidth)); }

  time(label = 'default') {
    label = `${label}`;
    if (this.#timers.has(label)) {
      process.emitWarning(`Label '${label}' already exists for console.time()`);
      return;
    }
    this.#timers.set(label, process.hrtime.bigint());
  }

  #elapsed(method, label, args) {
    const start = this.#timers.get(label);
    if (start === undefined) {
      process.emitWarning(`No such label '${label}' for console.${method}()`);
      return false;
    }
    const text = formatDuration(Number(process.hrtime.bigint() - start) / 1e6);
    this.log('%s: %s', label, text, ...args);
    return true;
  }

  timeEnd(label = 'default') {
    label = `${label}`;
    if (this.#elapsed('timeEnd', label, [])) this.#timers.delete(label);
  }

  timeLog(label = 'default', ...args) { this.#elapsed('timeLog', `${label}`, args); }

  table(data, properties) {
    if (data === null || typeof data !== 'object') {
      this.log(data);
      return;
    }
    const { inspect } = require('internal/util/inspect');
    if (properties !== undefined) require('internal/validators').validateArray(properties, 'properties');
    this.log(require('internal/cli_table').table(data, properties, (value) => inspect(value, {
      maxArrayLength: 3,
      breakLength: Infinity,
      ...this.#options(this.#stream(this.#out)),
      depth: value !== null && typeof value === 'object' && !Array.isArray(value) && Object.keys(value).length > 2 ? -1 : 0,
    })));
  }

  profile() {}
  profileEnd() {}
  timeStamp() {}
}

const METHODS = [
  'log', 'warn', 'dir', 'time', 'timeEnd', 'timeLog', 'trace', 'assert', 'clear', 'count', 'countReset',
  'group', 'groupEnd', 'table', 'debug', 'info', 'dirxml', 'error', 'groupCollapsed',
];

function formatDuration(ms) {
  const pad = (value) => String(value).padStart(2, '0');
  if (ms >= 1000) {
    let seconds = ms / 1000;
    if (seconds < 60) return `${seconds.toFixed(3)}s`;
    let minutes = Math.floor(seconds / 60);
    seconds = (seconds % 60).toFixed(3).padStart(6, '0');
    if (minutes < 60) return `${minutes}:${seconds} (m:ss.mmm)`;
    const hours = Math.floor(minutes / 60);
    minutes %= 60;
    return `${hours}:${pad(minutes)}:${seconds} (h:mm:ss.mmm)`;
  }
  return ms < 1 ? `${Number(ms.toFixed(3))}ms` : `${ms.toFixed(3)}ms`;
}

// Node's class may be called without `new`.
const Console = new Proxy(Object.defineProperty(ConsoleClass, 'name', { value: 'Console' }), {
  apply: (target, receiver, args) => new Console(...args),
});
ConsoleClass.prototype.constructor = Console;

// Writes go directly to the descriptors until the script uses process.stdout or stderr.
const output = (fd) => () => require('internal/stdio').forConsole(fd);
const globalConsole = new Console({ stdout: output(1), stderr: output(2) });
Object.defineProperty(globalConsole, 'Console', { value: Console, writable: true, enumerable: true, configurable: true });
for (const name of ['profile', 'profileEnd', 'timeStamp']) globalConsole[name] = { value() {} }.value;
Object.defineProperty(globalConsole, Symbol.toStringTag, { value: 'console', configurable: true });

module.exports = globalConsole;
