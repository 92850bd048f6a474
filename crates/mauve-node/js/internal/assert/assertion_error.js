// AssertionError, and the messages that compare two values.
const { inspect } = require('internal/util/inspect');
const { validateObject } = require('internal/validators');
const { setStackHeader } = require('internal/errors');
const native = binding('util');

const HEADLINES = {
  deepEqual: 'Expected values to be loosely deep-equal:',
  deepStrictEqual: 'Expected values to be strictly deep-equal:',
  notDeepEqual: 'Expected "actual" not to be loosely deep-equal to:',
  notDeepEqualUnequal: 'Expected values not to be loosely deep-equal:',
  notDeepStrictEqual: 'Expected "actual" not to be strictly deep-equal to:',
  notIdentical: 'Values have same structure but are not reference-equal:',
  notStrictEqual: 'Expected "actual" to be strictly unequal to:',
  notStrictEqualObject: 'Expected "actual" not to be reference-equal to "expected":',
  strictEqual: 'Expected values to be strictly equal:',
  strictEqualObject: 'Expected "actual" to be reference-equal to "expected":',
};

// The total length up to which two values are shown as `1 !== 2`.
const MAX_SHORT_LENGTH = 12;
const MAX_VALUE_LENGTH = 512;
const MAX_LINES = 50;
const isObject = (value) => typeof value === 'object' && value !== null;

const INSPECT_OPTIONS = {
  compact: false, customInspect: false, depth: 1000, getters: true, maxArrayLength: Infinity, showHidden: false,
  showProxy: false, sorted: true,
};

const show = (value) => inspect(value, INSPECT_OPTIONS);
function shorten(lines, kept = MAX_LINES) { return lines.length > MAX_LINES ? [...lines.slice(0, kept), '...'] : lines; }

// `message` replaces the headline if the caller gave one.
function strictMessage(actual, expected, operator, message) {
  const [actualText, expectedText] = [show(actual), show(expected)];
  const areObjects = isObject(actual) && isObject(expected);
  if (operator === 'strictEqual' && (areObjects || (typeof actual === 'function' && typeof expected === 'function'))) operator = 'strictEqualObject';
  const headline = message || HEADLINES[operator];
  if (!areObjects && !/\n/.test(actualText + expectedText)) {
    const quotes = [actual, expected].filter((value) => typeof value === 'string').length * 2;
    const isShort = actualText.length + expectedText.length - quotes <= MAX_SHORT_LENGTH;
    if (isShort && (actual !== 0 || expected !== 0)) return `${headline}\n\n${actualText} !== ${expectedText}\n`;
    return `${headline}\n+ actual - expected\n\n+ ${actualText}\n- ${expectedText}${pointer(actualText, expectedText)}\n`;
  }
  if (actualText === expectedText) return `${message || HEADLINES.notIdentical}\n\n${shorten(actualText.split('\n')).join('\n')}\n`;
  const [isSkipped, text] = native.diffLines(actualText, expectedText, isObject(actual));
  return `${headline}\n+ actual - expected${isSkipped ? '\n... Skipped lines' : ''}\n${text}\n`;
}

// Points at the first character that differs, unless it is one of the first.
function pointer(actualText, expectedText) {
  const width = process.stderr.isTTY ? process.stderr.columns : 80;
  if (actualText.length + expectedText.length > width) return '';
  const at = [...actualText].findIndex((char, index) => char !== expectedText[index]);
  return at < 3 ? '' : `\n${' '.repeat(at + 2)}^`;
}

function unequalMessage(actual, operator) {
  let headline = HEADLINES[operator];
  if (operator === 'notStrictEqual' && (isObject(actual) || typeof actual === 'function')) headline = HEADLINES.notStrictEqualObject;
  const lines = shorten(show(actual).split('\n'), MAX_LINES - 4);
  if (lines.length === 1) return `${headline}${lines[0].length > 5 ? '\n\n' : ' '}${lines[0]}`;
  return `${headline}\n\n${lines.join('\n')}\n`;
}

function looseMessage(actual, expected, operator) {
  const cut = (text) => (text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH - 3)}...` : text);
  const actualText = show(actual);
  const expectedText = show(expected);
  if (operator === 'notDeepEqual' && actualText === expectedText) {
    const text = `${HEADLINES.notDeepEqual}\n\n${actualText}`;
    return text.length > 1024 ? `${text.slice(0, 1021)}...` : text;
  }
  const [left, right] = [cut(actualText), cut(expectedText)];
  if (operator === 'deepEqual') return `${HEADLINES.deepEqual}\n\n${left}\n\nshould loosely deep-equal\n\n${right}`;
  if (operator === 'notDeepEqual') return `${HEADLINES.notDeepEqualUnequal}\n\n${left}\n\nshould not loosely deep-equal\n\n${right}`;
  return `${left} ${operator} ${right}`;
}

function messageFor(actual, expected, operator, message) {
  if (operator === 'deepStrictEqual' || operator === 'strictEqual') return strictMessage(actual, expected, operator, message);
  if (message != null) return String(message);
  if (operator === 'notDeepStrictEqual' || operator === 'notStrictEqual') return unequalMessage(actual, operator);
  return looseMessage(actual, expected, operator);
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
