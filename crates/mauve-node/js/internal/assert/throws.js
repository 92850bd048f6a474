// assert.throws, assert.rejects, and their opposites.
const { codes } = require('internal/errors');
const { AssertionError, failWith } = require('internal/assert/assertion_error');
const { isDeepStrictEqual } = require('internal/util/comparisons');
const { inspect } = require('internal/util/inspect');
const { validateFunction } = require('internal/validators');
const types = require('internal/util/types');
const NOTHING = Symbol('nothing was thrown');
const isError = (value) => types.isNativeError(value) || value instanceof Error;
const isThenable = (value) => types.isPromise(value) ||
  (value !== null && typeof value === 'object' && typeof value.then === 'function' && typeof value.catch === 'function');

function getError(fn) {
  validateFunction(fn, 'fn');
  try {
    fn();
  } catch (error) {
    return error;
  }
  return NOTHING;
}

async function getRejection(promiseOrFn) {
  let promise;
  if (typeof promiseOrFn === 'function') {
    promise = promiseOrFn();
    if (!isThenable(promise)) throw new codes.ERR_INVALID_RETURN_VALUE('instance of Promise', 'promiseFn', promise);
  } else if (isThenable(promiseOrFn)) {
    promise = promiseOrFn;
  } else {
    throw new codes.ERR_INVALID_ARG_TYPE('promiseFn', ['Function', 'Promise'], promiseOrFn);
  }
  try {
    await promise;
  } catch (error) {
    return error;
  }
  return NOTHING;
}

const errorNoun = (fn) => (fn.name === 'rejects' || fn.name === 'doesNotReject' ? 'rejection' : 'exception');
const EXPECTED_TYPES = ['Object', 'Error', 'Function', 'RegExp'];

// A string that equals the message of the error is probably meant as the expected error.
function checkAmbiguous(actual, message) {
  const isObject = typeof actual === 'object' && actual !== null;
  if ((isObject ? actual.message : actual) !== message) return;
  const subject = isObject ? 'error message' : 'error';
  throw new codes.ERR_AMBIGUOUS_ARGUMENT('error/message', `The ${subject} "${message}" is identical to the message.`);
}

function missingError(fn, expected, message) {
  const name = expected?.name ? ` (${expected.name})` : '';
  const suffix = message ? `: ${message}` : '.';
  return new AssertionError({
    message: `Missing expected ${errorNoun(fn)}${name}${suffix}`,
    operator: fn.name,
    actual: undefined,
    expected,
    stackStartFn: fn,
  });
}

// The arguments after `actual` are (error, message), or a message alone.
function expectsError(fn, actual, error, message) {
  const isMessage = typeof error === 'string';
  const isValid = isMessage ? arguments.length < 4 : error == null || ['object', 'function'].includes(typeof error);
  if (!isValid) throw new codes.ERR_INVALID_ARG_TYPE('error', EXPECTED_TYPES, error);
  if (isMessage) checkAmbiguous(actual, error);
  const [expected, text] = isMessage ? [undefined, error] : [error, message];
  if (actual === NOTHING) throw missingError(fn, expected, text);
  if (expected) checkError(actual, expected, text, fn);
}

function unwantedError(fn, actual, expected, message) {
  const suffix = message ? `: ${message}` : '.';
  return new AssertionError({
    message: `Got unwanted ${errorNoun(fn)}${suffix}\nActual message: "${actual?.message}"`,
    operator: fn.name,
    actual, expected,
    stackStartFn: fn,
  });
}

// The arguments after `actual` are those of expectsError. Errors other than the expected one are rethrown.
function expectsNoError(fn, actual, error, message) {
  if (actual === NOTHING) return;
  const [expected, text] = typeof error === 'string' ? [undefined, error] : [error, message];
  const isUnwanted = !expected || isExpected(actual, expected);
  throw isUnwanted ? unwantedError(fn, actual, expected, text) : actual;
}

function isExpected(actual, expected) {
  if (typeof expected !== 'function') {
    if (types.isRegExp(expected)) return RegExp.prototype.exec.call(expected, String(actual)) !== null;
    throw new codes.ERR_INVALID_ARG_TYPE('expected', ['Function', 'RegExp'], expected);
  }
  if (expected.prototype !== undefined && actual instanceof expected) return true;
  if (Error.isPrototypeOf(expected)) return false;
  return expected.call({}, actual) === true;
}

function checkError(actual, expected, message, fn) {
  if (typeof expected === 'function') checkByFunction(actual, expected, message, fn);
  else if (types.isRegExp(expected)) checkByPattern(actual, expected, message, fn);
  else checkByProperties(actual, expected, message, fn);
}

function checkByPattern(actual, expected, message, fn) {
  const text = String(actual);
  if (RegExp.prototype.exec.call(expected, text) !== null) return;
  if (message instanceof Error) throw message;
  const reason = message ||
    `The input did not match the regular expression ${inspect(expected)}. Input:\n\n${inspect(text)}\n`;
  failWith({ actual, expected, message: reason, operator: fn.name, stackStartFn: fn }, !message);
}

function checkByFunction(actual, expected, message, fn) {
  if (expected.prototype !== undefined && actual instanceof expected) return;
  let text = message;
  if (Error.isPrototypeOf(expected)) {
    if (!message) {
      text = `The error is expected to be an instance of "${expected.name}". Received `;
      text += isError(actual) ? `"${actual.name}"` : `"${inspect(actual, { depth: -1 })}"`;
      if (isError(actual)) text += `\n\nError message:\n\n${actual.message}`;
    }
  } else {
    const result = expected.call({}, actual);
    if (result === true) return;
    if (!message) {
      const name = expected.name ? `"${expected.name}" ` : '';
      text = `The ${name}validation function is expected to return "true". Received ${inspect(result)}`;
      if (isError(actual)) text += `\n\nCaught error:\n\n${actual}`;
    }
  }
  if (message instanceof Error) throw message;
  failWith({ actual, expected, message: text, operator: fn.name, stackStartFn: fn }, !message);
}

// Only the compared properties, for the message.
class Comparison {
  constructor(object, keys, actual) {
    for (const key of keys) {
      if (!(key in object)) continue;
      this[key] = actual !== undefined && matches(actual[key], object[key]) ? actual[key] : object[key];
    }
  }
}

function matches(value, pattern) {
  return typeof value === 'string' && types.isRegExp(pattern) && RegExp.prototype.exec.call(pattern, value) !== null;
}

function checkByProperties(actual, expected, message, fn) {
  if (typeof actual !== 'object' || actual === null) {
    const error = new AssertionError({ actual, expected, message, operator: 'deepStrictEqual', stackStartFn: fn });
    throw Object.assign(error, { operator: fn.name });
  }
  const keys = Object.keys(expected);
  if (isError(expected)) keys.push('name', 'message');
  else if (keys.length === 0) throw new codes.ERR_INVALID_ARG_VALUE('error', expected, 'may not be an empty object');
  for (const key of keys) {
    if (matches(actual[key], expected[key])) continue;
    if (key in actual && isDeepStrictEqual(actual[key], expected[key])) continue;
    if (message instanceof Error) throw message;
    if (message) throw new AssertionError({ actual, expected, message, operator: fn.name, stackStartFn: fn });
    const error = new AssertionError({
      actual: new Comparison(actual, keys),
      expected: new Comparison(expected, keys, actual),
      operator: 'deepStrictEqual',
      stackStartFn: fn,
    });
    throw Object.assign(error, { actual, expected, operator: fn.name });
  }
}

module.exports = { expectsError, expectsNoError, getError, getRejection };
