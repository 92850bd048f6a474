// Node's coded errors. `codes.ERR_X` are constructors whose errors carry the
// code, Node's message and a stack that starts with `Name [ERR_X]: message`
// (internal/stack asks `isCodedError` when somebody reads it).
// The messages themselves live in internal/error_messages; system errors in
// internal/system_errors.

const codedErrors = new WeakSet();

// Puts `header` before the frames of an error's stack, whatever header the
// engine put there itself.
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

function constructorFor(code, Base, message) {
  function NodeError(...args) {
    const error = new Base();
    const text = typeof message === 'function' ? Reflect.apply(message, error, args) : message;
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
  made[code] = constructorFor(code, bases[names[0]], message);
  for (const name of names.slice(1)) {
    made[code][name] = constructorFor(code, bases[name], message);
  }
}

// Constructors are made on first use, and their messages loaded then: most
// scripts meet no error at all.
const made = Object.create(null);
const codes = new Proxy(made, {
  get(target, code) {
    if (target[code] === undefined && typeof code === 'string') {
      const entry = require('internal/error_messages')[code];
      if (entry !== undefined) define(code, ...entry);
    }
    return target[code];
  },
});

class AbortError extends Error {
  constructor(message = 'The operation was aborted', options = undefined) {
    if (options !== undefined && typeof options !== 'object') {
      throw new codes.ERR_INVALID_ARG_TYPE('options', 'Object', options);
    }
    super(message, options);
    this.code = 'ABORT_ERR';
    this.name = 'AbortError';
  }
}

// Joins the error of a cleanup step with the one that led to it.
function aggregateTwoErrors(inner, outer) {
  if (inner && outer && inner !== outer) {
    if (Array.isArray(outer.errors)) {
      outer.errors.push(inner);
      return outer;
    }
    const both = new AggregateError([outer, inner], outer.message);
    both.code = outer.code;
    return both;
  }
  return inner || outer;
}

function isStackOverflowError(error) {
  return error instanceof RangeError && error.message === 'Maximum call stack size exceeded';
}

module.exports = {
  codes,
  AbortError,
  aggregateTwoErrors,
  isStackOverflowError,
  setStackHeader,
  isCodedError: (error) => codedErrors.has(error),
  determineSpecificType: (value) => require('internal/error_messages').determineSpecificType(value),
  hideStackFrames: (fn) => fn,
};

// System errors are wanted by I/O modules only.
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
