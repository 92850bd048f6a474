// AssertionError, and the messages that compare two values.
const { inspect } = require('internal/util/inspect');
const { validateObject } = require('internal/validators');
const { setStackHeader } = require('internal/errors');
const native = binding('util');

const MAX_VALUE_LENGTH = 512;

const INSPECT_OPTIONS = {
  compact: false, customInspect: false, depth: 1000, getters: true, maxArrayLength: Infinity, showHidden: false,
  showProxy: false, sorted: true,
};

const show = (value) => inspect(value, INSPECT_OPTIONS);
const kindOf = (value) => (value === 0 ? 'zero' : value === null ? 'null' : typeof value);

function messageFor(actual, expected, operator, message) {
  if (message != null && operator !== 'strictEqual' && operator !== 'deepStrictEqual') return String(message);
  const width = process.stderr.isTTY ? process.stderr.columns : 80;
  const kinds = [actual, expected].map(kindOf);
  return native.assertionMessage(`${operator}`, message == null ? undefined : String(message), show(actual), show(expected), kinds, width);
}

class AssertionError extends Error {
  constructor(options) {
    validateObject(options, 'options');
    const { message, operator, actual, expected, stackStartFn } = options;
    super(messageFor(actual, expected, operator, message));
    this.generatedMessage = !message;
    Object.defineProperty(this, 'name', { value: 'AssertionError', enumerable: false, writable: true, configurable: true });
    this.code = 'ERR_ASSERTION';
    this.actual = actual;
    this.expected = expected;
    this.operator = operator;
    this.diff = 'simple';
    if (Error.captureStackTrace) Error.captureStackTrace(this, stackStartFn || options.stackStartFunction);
    setStackHeader(this, `AssertionError [ERR_ASSERTION]: ${this.message}`);
  }

  toString() { return `${this.name} [${this.code}]: ${this.message}`; }

  [inspect.custom](depth, options) {
    // The message has long values already.
    const { actual, expected } = this;
    for (const name of ['actual', 'expected']) {
      if (typeof this[name] !== 'string') continue;
      const lines = this[name].split('\n');
      if (lines.length > 10) this[name] = `${lines.slice(0, 10).join('\n')}\n...`;
      else if (this[name].length > MAX_VALUE_LENGTH) this[name] = `${this[name].slice(0, MAX_VALUE_LENGTH)}...`;
    }
    const result = inspect(this, { ...options, customInspect: false, depth: 0 });
    this.actual = actual;
    this.expected = expected;
    return result;
  }
}

// Throws an error whose message may be generated although the caller passes one.
function failWith(details, generatedMessage) { throw Object.assign(new AssertionError(details), { generatedMessage }); }

module.exports = { AssertionError, failWith };
