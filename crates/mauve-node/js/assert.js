// The module 'assert'.
const { codes } = require('internal/errors');
const { AssertionError, failWith } = require('internal/assert/assertion_error');
const comparisons = require('internal/util/comparisons');
const { inspect } = require('internal/util/inspect');
const types = require('internal/util/types');
const { expectsError, expectsNoError, getError, getRejection } = require('internal/assert/throws');
const isError = (value) => types.isNativeError(value) || value instanceof Error;

function raise(details) {
  if (details.message instanceof Error) throw details.message;
  throw new AssertionError(details);
}

function checkOk(fn, count, value, message) {
  if (value) return;
  let generatedMessage = false;
  if (count === 0) {
    generatedMessage = true;
    message = 'No value argument passed to `assert.ok()`';
  } else if (message == null) {
    generatedMessage = true;
    message = require('internal/assert/call_source').describeCall(fn) ?? 'The expression evaluated to a falsy value';
  } else if (isError(message)) {
    throw message;
  }
  failWith({ actual: value, expected: true, message, operator: '==', stackStartFn: fn }, generatedMessage);
}

function assert(...args) { checkOk(assert, args.length, ...args); }
function ok(...args) { checkOk(ok, args.length, ...args); }

function fail(actual, expected, message, operator, stackStartFn) {
  let generated;
  if (actual == null && arguments.length <= 1) {
    generated = 'Failed';
  } else if (arguments.length === 1) {
    message = actual;
    actual = undefined;
  } else {
    process.emitWarning('assert.fail() with more than one argument is deprecated. ' +
      'Please use assert.strictEqual() instead or only pass a message.', 'DeprecationWarning', 'DEP0094');
    if (arguments.length === 2) operator = '!=';
  }
  if (message instanceof Error) throw message;
  const details = { actual, expected, operator: operator === undefined ? 'fail' : operator, stackStartFn: stackStartFn || fail };
  if (message !== undefined || generated !== undefined) details.message = message ?? generated;
  if (generated !== undefined) failWith(details, true);
  throw new AssertionError(details);
}

// Creates an assertion that compares two values.
function createComparison(name, operator, holds) {
  const check = {
    [name](actual, expected, message) {
      if (arguments.length < 2) throw new codes.ERR_MISSING_ARGS('actual', 'expected');
      if (!holds(actual, expected)) raise({ actual, expected, message, operator, stackStartFn: check });
    },
  }[name];
  return check;
}

// biome-ignore lint/suspicious/noDoubleEquals: assert.equal is defined by `==`
const looselyEqual = (a, b) => a == b || (Number.isNaN(a) && Number.isNaN(b));
function throws(fn, ...args) { expectsError(throws, getError(fn), ...args); }
async function rejects(promise, ...args) { expectsError(rejects, await getRejection(promise), ...args); }
function doesNotThrow(fn, ...args) { expectsNoError(doesNotThrow, getError(fn), ...args); }
async function doesNotReject(promise, ...args) { expectsNoError(doesNotReject, await getRejection(promise), ...args); }

function ifError(value) {
  if (value === null || value === undefined) return;
  let message = 'ifError got unwanted exception: ';
  if (typeof value === 'object' && typeof value.message === 'string') {
    message += value.message.length === 0 && value.constructor ? value.constructor.name : value.message;
  } else {
    message += inspect(value);
  }
  failWith({ actual: value, expected: null, operator: 'ifError', message, stackStartFn: ifError }, false);
}

function checkMatch(string, regexp, message, fn, wanted) {
  if (!types.isRegExp(regexp)) throw new codes.ERR_INVALID_ARG_TYPE('regexp', 'RegExp', regexp);
  if (typeof string === 'string' && (RegExp.prototype.exec.call(regexp, string) !== null) === wanted) return;
  if (message instanceof Error) throw message;
  const generatedMessage = !message;
  if (!message) {
    if (typeof string !== 'string') {
      message = 'The "string" argument must be of type string. Received type ' +
        `${typeof string} (${inspect(string)})`;
    } else {
      message = (wanted ? 'The input did not match the regular expression ' :
        'The input was expected to not match the regular expression ') +
        `${inspect(regexp)}. Input:\n\n${inspect(string)}\n`;
    }
  }
  failWith({ actual: string, expected: regexp, message, operator: fn.name, stackStartFn: fn }, generatedMessage);
}

function match(string, regexp, message) { checkMatch(string, regexp, message, match, true); }
function doesNotMatch(string, regexp, message) { checkMatch(string, regexp, message, doesNotMatch, false); }
const not = (holds) => (a, b) => !holds(a, b);
const { isDeepEqual, isDeepStrictEqual } = comparisons;

Object.assign(assert, {
  fail, AssertionError, ok,
  equal: createComparison('equal', '==', looselyEqual),
  notEqual: createComparison('notEqual', '!=', not(looselyEqual)),
  deepEqual: createComparison('deepEqual', 'deepEqual', isDeepEqual),
  notDeepEqual: createComparison('notDeepEqual', 'notDeepEqual', not(isDeepEqual)),
  deepStrictEqual: createComparison('deepStrictEqual', 'deepStrictEqual', isDeepStrictEqual),
  notDeepStrictEqual: createComparison('notDeepStrictEqual', 'notDeepStrictEqual', not(isDeepStrictEqual)),
  strictEqual: createComparison('strictEqual', 'strictEqual', Object.is),
  notStrictEqual: createComparison('notStrictEqual', 'notStrictEqual', not(Object.is)),
  throws, rejects, doesNotThrow, doesNotReject, ifError, match, doesNotMatch,
});

require('internal/errors').refuse(assert, 'assert', ['CallTracker']);

function strict(...args) { checkOk(strict, args.length, ...args); }

// In strict mode the loose names are those of the strict functions.
assert.strict = Object.assign(strict, assert);
for (const [name, strictName] of [
  ['equal', 'strictEqual'],
  ['deepEqual', 'deepStrictEqual'],
  ['notEqual', 'notStrictEqual'],
  ['notDeepEqual', 'notDeepStrictEqual'],
]) { strict[name] = assert[strictName]; }
strict.strict = strict;

module.exports = assert;
