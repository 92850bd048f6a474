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

function codedToString() {
  return `${this.name} [${this.code}]: ${this.message}`;
}

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
  for (const name of names.slice(1)) {
    constructors[code][name] = constructorFor(code, bases[name], message);
  }
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

function isStackOverflowError(error) {
  return error instanceof RangeError && error.message === 'Maximum call stack size exceeded';
}

// Defines functions that throw an error with their name, for parts of Node that mauve leaves out.
function refuse(object, path, names) {
  for (const name of names) {
    const value = function () {
      throw new codes.ERR_NOT_SUPPORTED(`${path}.${name}`);
    };
    Object.defineProperty(object, name, { value, writable: true, enumerable: false, configurable: true });
  }
}

module.exports = {
  codes,
  refuse,
  AbortError,
  isStackOverflowError,
  setStackHeader,
  isCodedError: (error) => codedErrors.has(error),
};

// Loaded on first use: only I/O modules need them.
for (const name of [
  'uvException', 'errnoException', 'exceptionWithHostPort', 'uvExceptionWithHostPort',
  'dnsException', 'connResetException', 'genericNodeError',
]) {
  Object.defineProperty(module.exports, name, {
    configurable: true,
    enumerable: true,
    get() {
      return require('internal/system_errors')[name];
    },
  });
}
