// The asynchronous context: which stores of AsyncLocalStorage a piece of code
// sees, and how that follows it through promises, ticks and timers.
//
// A context is a map from storage to store, never changed once made. Callbacks
// are bound to the context in which they are handed over. `await` is harder:
// the engine resumes a function without asking anybody. But while a context is
// set, a promise shows another constructor than the engine's own, so that
// `await` treats it as a foreign thenable and reads `then`, at once, in the
// context of the `await`. The `then` it gets resumes the function between two
// jobs, one that sets that context and one that takes it away.
//
// None of this is installed before the first AsyncLocalStorage is made.

let current;
let installed = false;

const OriginalPromise = Promise;
const originalThen = Promise.prototype.then;
const settled = Promise.resolve();

function runWith(context, fn, receiver, args) {
  const previous = current;
  current = context;
  try {
    return Reflect.apply(fn, receiver, args);
  } finally {
    current = previous;
  }
}

// The function as it is to be called later, in the context of now.
function bind(fn) {
  if (current === undefined || typeof fn !== 'function') return fn;
  const context = current;
  return function bound(...args) {
    return runWith(context, fn, this, args);
  };
}

// The engine's own functions that settle a promise are anonymous natives.
function isResolver(fn) {
  return fn.name === '' && fn.length === 1 && Function.prototype.toString.call(fn).includes('[native code]');
}

// Calls a resolver so that what it resumes runs in `context`.
function resumeIn(context, resolver) {
  return (value) => {
    let previous;
    originalThen.call(settled, () => {
      previous = current;
      current = context;
    });
    resolver(value);
    originalThen.call(settled, () => {
      current = previous;
    });
  };
}

function inContext(context, fn) {
  if (typeof fn !== 'function') return fn;
  if (isResolver(fn)) return resumeIn(context, fn);
  return (value) => runWith(context, fn, undefined, [value]);
}

function thenIn(context) {
  return function then(onFulfilled, onRejected) {
    return Reflect.apply(originalThen, this, [inContext(context, onFulfilled), inContext(context, onRejected)]);
  };
}

// Stands in for Promise as the constructor of promises while a context is set.
class ContextPromise extends OriginalPromise {
  static get [Symbol.species]() {
    return OriginalPromise;
  }
}
Object.defineProperty(ContextPromise, 'name', { value: 'Promise' });

function accessor(object, name, get) {
  Object.defineProperty(object, name, {
    get,
    set(value) {
      Object.defineProperty(this, name, { value, writable: true, enumerable: false, configurable: true });
    },
    enumerable: false,
    configurable: true,
  });
}

// Has a function that takes a callback bind it.
function bindFirstArgument(object, name) {
  const original = object[name];
  if (typeof original !== 'function') return;
  const wrapper = function (callback, ...rest) {
    return Reflect.apply(original, this, [bind(callback), ...rest]);
  };
  Object.defineProperties(wrapper, Object.getOwnPropertyDescriptors(original));
  Object.defineProperty(object, name, { ...Object.getOwnPropertyDescriptor(object, name), value: wrapper });
}

function install() {
  if (installed) return;
  installed = true;
  accessor(OriginalPromise.prototype, 'then', () => (current === undefined ? originalThen : thenIn(current)));
  accessor(OriginalPromise.prototype, 'constructor', () => (current === undefined ? OriginalPromise : ContextPromise));
  const timers = require('timers');
  for (const name of ['setTimeout', 'setInterval', 'setImmediate']) {
    bindFirstArgument(timers, name);
    Object.defineProperty(globalThis, name, { value: timers[name], writable: true, enumerable: true, configurable: true });
  }
  bindFirstArgument(globalThis, 'queueMicrotask');
  originalNextTick = process.nextTick;
  bindFirstArgument(process, 'nextTick');
}

let originalNextTick;

// Changes the context for the rest of this turn. What follows it was bound when
// it was handed over, so the context can end with the next tick.
function enter(context) {
  const previous = current;
  current = context;
  Reflect.apply(originalNextTick, process, [() => {
    if (current === context) current = previous;
  }]);
}

module.exports = {
  bind,
  enter,
  get: () => current,
  install,
  runWith,
};
