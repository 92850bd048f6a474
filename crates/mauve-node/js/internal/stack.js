// Stacks that look like those of Node: the first line is the error itself.

const { rephrase } = require('internal/phrases');

const WRAPPER = '(function (exports, require, module, __filename, __dirname) {'.length;

// Files whose first line has the head of a function before it.
exports.wrapped = new Set();

// A stack that nobody has asked for yet. Its text is made when somebody does, as in V8: the first
// line is what the error says of itself by then.
class Unread {
  constructor(sites) {
    this.sites = sites;
  }
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
      if (!(stack instanceof Unread)) return stack;
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
  rephrase(error, sites, exports.position);
  return eager ? format(error, sites) : new Unread(sites);
}

function format(error, sites) {
  const lines = [header(error)];
  for (const site of sites) {
    // The constructor of Node's own errors is no place that a reader wants to know.
    if (lines.length === 1 && site.getFunctionName() === 'NodeError') continue;
    const line = describe(site);
    if (line !== undefined) lines.push(`    at ${line}`);
  }
  return lines.join('\n');
}

function header(error) {
  try {
    if (require('internal/errors').isCodedError(error)) return `${error.name} [${error.code}]: ${error.message}`;
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
  const place = `${file}:${line}:${column}`;
  if (name === '<eval>') return place;
  return name && name !== '<anonymous>' ? `${name} (${place})` : place;
}

// Where a site is, as an editor counts.
exports.position = function position(site) {
  const line = site.getLineNumber();
  let column = site.getColumnNumber();
  if (line === 1 && exports.wrapped.has(site.getFileName())) column = Math.max(1, column - WRAPPER);
  return { line, column };
};
