// util.promisify, callbackify and deprecate: functions that wrap functions.
const { codes } = require('internal/errors');
const { validateFunction, validateString } = require('internal/validators');
const customPromisify = Symbol.for('nodejs.util.promisify.custom');

// Promisifying the function again returns it unchanged.
function markPromisified(fn) {
  return Object.defineProperty(fn, customPromisify, { configurable: true, enumerable: false, writable: false, value: fn });
}

function promisify(original) {
  validateFunction(original, 'original');
  const custom = original[customPromisify];
  if (custom) {
    validateFunction(custom, 'util.promisify.custom');
    return markPromisified(custom);
  }
  function promisified(...args) {
    return new Promise((resolve, reject) => {
      const settle = (error, value) => (error ? reject(error) : resolve(value));
      Reflect.apply(original, this, [...args, settle]);
    });
  }
  Object.setPrototypeOf(promisified, Object.getPrototypeOf(original));
  markPromisified(promisified);
  return Object.defineProperties(promisified, Object.getOwnPropertyDescriptors(original));
}
promisify.custom = customPromisify;

function callWithReason(callback, reason) { callback(reason || new codes.ERR_FALSY_VALUE_REJECTION(reason)); }

function callbackify(original) {
  validateFunction(original, 'original');
  function callbackified(...args) {
    const last = args.pop();
    validateFunction(last, 'last argument');
    const promise = Reflect.apply(original, this, args);
    const callback = last.bind(this);
    // The callback runs in a tick of its own, so that its exceptions do not reject the promise.
    promise.then(
      (value) => { process.nextTick(callback, null, value); },
      (reason) => { process.nextTick(callWithReason, callback, reason); },
    );
  }
  const descriptors = Object.getOwnPropertyDescriptors(original);
  if (typeof descriptors.length?.value === 'number') descriptors.length.value += 1;
  if (typeof descriptors.name?.value === 'string') descriptors.name.value += 'Callbackified';
  return Object.defineProperties(callbackified, descriptors);
}

const warned = new Set();

// Warns once per function, and once per code.
function deprecate(fn, message, code) {
  if (process.noDeprecation === true) return fn;
  if (code !== undefined) validateString(code, 'code');
  let isWarned = false;
  function deprecated(...args) {
    if (!isWarned) {
      isWarned = true;
      if (code === undefined || !warned.has(code)) {
        if (code !== undefined) warned.add(code);
        process.emitWarning(message, 'DeprecationWarning', code, deprecated);
      }
    }
    if (new.target) return Reflect.construct(fn, args, new.target);
    return Reflect.apply(fn, this, args);
  }
  Object.setPrototypeOf(deprecated, fn);
  if (fn.prototype) deprecated.prototype = fn.prototype;
  return deprecated;
}

module.exports = { callbackify, deprecate, promisify };
