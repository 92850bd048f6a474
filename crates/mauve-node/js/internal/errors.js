// Node's coded errors. `codes.ERR_X` are constructors of errors with this code, Node's message, and a stack
// that starts with `Name [ERR_X]: message` (internal/stack calls isCodedError). The messages are in
// internal/error_messages, system errors in internal/system_errors.
const codedErrors = new WeakSet();

// Replaces the lines before the frames of an error's stack.
function setStackHeader(error, header) {
  const stack = typeof error.stack === 'string' ? error.stack : '';
  const firstFrame = stack.search(/^ {4}at /m);
  const frames = firstFrame < 0 ? '' : stack.slice(firstFrame).replace(/\n+$/, '');
  Object.defineProperty(error, 'stack', {
    value: frames === '' ? header : `${header}\n${frames}`,
    writable: true,
    enumerable: false,
    configurable: true,
  });
}

function codedToString() { return `${this.name} [${this.code}]: ${this.message}`; }

// Replaces `{0}` by the first argument, and so on.
function fill(template, args) {
  return template.includes('{') ? template.replace(/\{(\d)\}/g, (all, index) => `${args[index]}`) : template;
}

function constructorFor(code, Base, message) {
  function NodeError(...args) {
    const error = new Base();
    const text = typeof message === 'function' ? Reflect.apply(message, error, args) : fill(message, args);
    Object.defineProperties(error, {
      message: { value: text, enumerable: false, writable: true, configurable: true },
      toString: { value: codedToString, enumerable: false, writable: true, configurable: true },
    });
    error.code = code;
    codedErrors.add(error);
    return error;
  }
  Object.defineProperty(NodeError, 'name', { value: `NodeError` });
  return NodeError;
}

const bases = { Error, TypeError, RangeError, SyntaxError, URIError, EvalError };

// A code with several bases gets the others as properties: codes.ERR_X.RangeError.
function define(code, baseNames, message) {
  const names = baseNames.split('|');
  constructors[code] = constructorFor(code, bases[names[0]], message);
  for (const name of names.slice(1)) constructors[code][name] = constructorFor(code, bases[name], message);
}

// Constructors are created, and their messages loaded, on first use: most scripts need none.
const constructors = Object.create(null);
const codes = new Proxy(constructors, {
  get(target, code) {
    if (target[code] === undefined && typeof code === 'string') {
      const entry = binding('errno').codedMessage(code) ?? require('internal/error_messages')[code];
      if (entry !== undefined) define(code, ...entry);
    }
    return target[code];
  },
});

class AbortError extends Error {
  code = 'ABORT_ERR';
  name = 'AbortError';

  constructor(message = 'The operation was aborted', options = undefined) {
    const areOptions = options === undefined || typeof options === 'object';
    if (!areOptions) throw new codes.ERR_INVALID_ARG_TYPE('options', 'Object', options);
    super(message, options);
  }
}

function isStackOverflowError(error) { return error instanceof RangeError && error.message === 'Maximum call stack size exceeded'; }

// A function or a class that throws an error with its name, for parts of Node that mauve leaves out.
function refused(path, name, length = 0) {
  const value = function () { throw new codes.ERR_MAUVE_NOT_IMPLEMENTED(`${path}.${name}`); };
  return Object.defineProperties(value, { name: { value: name }, length: { value: length } });
}

function refuse(object, path, names) {
  for (const name of names) {
    Object.defineProperty(object, name,
      { value: refused(path, name), writable: true, enumerable: false, configurable: true });
  }
}

// The error of a Web API for an argument of a wrong type.
function webidlError(message) { return Object.assign(new TypeError(message), { code: 'ERR_INVALID_ARG_TYPE' }); }

module.exports = {
  codes, webidlError, refuse, refused, AbortError, isStackOverflowError, setStackHeader,
  isCodedError: (error) => codedErrors.has(error),
};

// Loaded on first use: only I/O modules need them.
require('internal/util/getters').defineGetters(module.exports, Object.fromEntries([
  'uvException', 'errnoException', 'exceptionWithHostPort', 'uvExceptionWithHostPort',
  'dnsException', 'connResetException', 'genericNodeError',
].map((name) => [name, () => require('internal/system_errors')[name]])));
