// Formats error.stack like V8.
const { translateMessage } = require('internal/v8_messages');
const WRAPPER = '(function (exports, require, module, __filename, __dirname) {'.length;
exports.WRAPPER = WRAPPER;

// Files that are compiled with a function wrapper before their first line.
exports.wrapped = new Set();

// A stack that has not been formatted yet. It is formatted on first access, as in V8, so that its first line
// has the name and the message that the error has then.
class LazyStack {
  constructor(sites) { this.sites = sites; }
}

let eager = false;

exports.install = function install() {
  require('internal/call_site').install();
  Error.stackTraceLimit = 10;
  Error.prepareStackTrace = prepare;

  const native = Object.getOwnPropertyDescriptor(Error.prototype, 'stack');
  Object.defineProperty(Error.prototype, 'stack', {
    ...native,
    get() {
      const stack = Reflect.apply(native.get, this, []);
      if (!(stack instanceof LazyStack)) return stack;
      const value = format(this, stack.sites);
      Object.defineProperty(this, 'stack',
        { value, writable: true, enumerable: false, configurable: true });
      return value;
    },
  });

  const capture = Error.captureStackTrace;
  Error.captureStackTrace = function captureStackTrace(object, above) {
    eager = true;
    try {
      Reflect.apply(capture, Error, [object, above]);
    } finally {
      eager = false;
    }
  };
};

function prepare(error, sites) {
  translateMessage(error, sites, exports.position);
  return eager ? format(error, sites) : new LazyStack(sites);
}

function format(error, sites) {
  const lines = [header(error)];
  for (const site of sites) {
    // Skips the constructor of coded errors.
    if (lines.length === 1 && site.getFunctionName() === 'NodeError') continue;
    const line = describe(site);
    if (line !== undefined) lines.push(`    at ${line}`);
  }
  return lines.join('\n');
}

function header(error) {
  try {
    const isCoded = require('internal/errors').isCodedError(error);
    if (isCoded) return `${error.name} [${error.code}]: ${error.message}`;
    return Error.prototype.toString.call(error);
  } catch {
    return 'Error';
  }
}

function describe(site) {
  const name = site.getFunctionName();
  const file = site.getFileName();
  if (site.isNative() || !file) return name ? `${name} (native)` : undefined;
  if (file === 'node:internal/loader' || file === 'node:internal/bootstrap') return undefined;
  const { line, column } = exports.position(site);
  const location = `${file}:${line}:${column}`;
  if (name === '<eval>') return location;
  return name && name !== '<anonymous>' ? `${name} (${location})` : location;
}

// The position of a call site, without the function wrapper.
exports.position = function position(site) {
  const line = site.getLineNumber();
  let column = site.getColumnNumber();
  if (line === 1 && exports.wrapped.has(site.getFileName())) column = Math.max(1, column - WRAPPER);
  return { line, column };
};
