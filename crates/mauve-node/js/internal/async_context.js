// The asynchronous context: the stores of AsyncLocalStorage, and how they propagate through promises,
// ticks and timers.
//
// A context is an immutable map from storage to store. Callbacks are bound to the context in which they
// are passed. `await` is harder, because the engine resumes a function without calling any hook of ours:
//
// - For a promise whose constructor is not the engine's own Promise, `await` treats it as a thenable and
//   reads `then` synchronously, in the context of the `await`. Promises therefore have a wrapper as their
//   constructor, and their `then` resumes the function between two jobs: one that sets the context, one
//   that resets it.
// - For any other value, `await` creates a promise. The promise hook reports its creation and its
//   resolution. A job that is queued at the resolution runs directly before the function resumes, and sets
//   the context in which the promise was created.
//
// This is installed when the first AsyncLocalStorage is created. From then on an `await` of a promise takes
// two more jobs of the microtask queue.

const native = binding('promise_hooks');

let current;
let installed = false;
let originalNextTick;

const OriginalPromise = Promise;
const originalThen = Promise.prototype.then;
const resolvedPromise = Promise.resolve();

function runWith(context, fn, receiver, args) {
  const previous = current;
  current = context;
  try {
    return Reflect.apply(fn, receiver, args);
  } finally {
    current = previous;
  }
}

// Binds a function to the current context.
function bind(fn) {
  if (!installed || typeof fn !== 'function') return fn;
  const context = current;
  return function bound(...args) {
    return runWith(context, fn, this, args);
  };
}

// Whether this is a resolving function of the engine: an anonymous native function.
function isResolver(fn) {
  return fn.name === '' && fn.length === 1 && Function.prototype.toString.call(fn).includes('[native code]');
}

let queueing = false;

// Queues a job that changes the context. Its promise is ignored by the promise hook.
function queueJob(job) {
  queueing = true;
  originalThen.call(resolvedPromise, job);
  queueing = false;
}

// Wraps a resolving function so that the resumed code runs in `context`.
function resumeIn(context, resolver) {
  return (value) => {
    let previous;
    queueJob(() => {
      previous = current;
      current = context;
    });
    resolver(value);
    queueJob(() => {
      current = previous;
    });
  };
}

function inContext(context, fn) {
  if (typeof fn !== 'function') return fn;
  if (isResolver(fn)) return resumeIn(context, fn);
  return (value) => runWith(context, fn, undefined, [value]);
}

function thenInContext(context) {
  return function then(onFulfilled, onRejected) {
    return Reflect.apply(originalThen, this, [inContext(context, onFulfilled), inContext(context, onRejected)]);
  };
}

function createPromiseWrapper() {
  function PromiseWrapper(executor) {
    if (new.target === undefined) throw new TypeError("Promise constructor cannot be invoked without 'new'");
    return Reflect.construct(OriginalPromise, [executor], new.target === PromiseWrapper ? OriginalPromise : new.target);
  }
  Object.setPrototypeOf(PromiseWrapper, OriginalPromise);
  Object.defineProperty(PromiseWrapper, 'name', { value: 'Promise' });
  Object.defineProperty(PromiseWrapper, 'prototype', { value: OriginalPromise.prototype, writable: false });
  Object.defineProperty(PromiseWrapper, Symbol.species, {
    get() {
      return this === PromiseWrapper ? OriginalPromise : this;
    },
    configurable: true,
  });
  return PromiseWrapper;
}

let resetQueued = false;

// The contexts in which promises without a parent were created. An `await` may depend on them.
const contexts = new WeakMap();

function onPromiseEvent(promise, event) {
  if (queueing) return;
  if (event === 'init') contexts.set(promise, current);
  if (!contexts.has(promise)) return;
  const context = contexts.get(promise);
  if (event === 'before') current = context;
  else if (event === 'after') current = undefined;
  else if (event === 'resolve') restoreBeforeReactions(promise, context);
}

// Queues a job that sets the context before the reactions of a promise run.
function restoreBeforeReactions(promise, context) {
  contexts.delete(promise);
  queueJob(() => {
    current = context;
    // Resets the context before the next callback of the loop.
    if (context === undefined || resetQueued) return;
    resetQueued = true;
    Reflect.apply(originalNextTick, process, [() => {
      resetQueued = false;
      current = undefined;
    }]);
  });
}

// Replaces a method by one that binds its callback.
function bindFirstArgument(object, name) {
  const original = object[name];
  const wrapper = function (callback, ...rest) {
    return Reflect.apply(original, this, [bind(callback), ...rest]);
  };
  Object.defineProperties(wrapper, Object.getOwnPropertyDescriptors(original));
  Object.defineProperty(object, name, { ...Object.getOwnPropertyDescriptor(object, name), value: wrapper });
}

// Bindings without callbacks, or whose callbacks are bound elsewhere.
const WITHOUT_CALLBACKS = new Set([
  'buffer', 'errno', 'host', 'modules', 'perf', 'process', 'promise_hooks', 'signals', 'stdio', 'timers', 'url', 'util',
]);

// Replaces the functions of a binding by ones that bind their callbacks, so that a completion runs in the
// context of its request.
function bindCallbacks(name, object) {
  if (WITHOUT_CALLBACKS.has(name)) return;
  for (const key of Object.keys(object)) {
    const original = object[key];
    if (typeof original !== 'function') continue;
    object[key] = (...args) => original(...args.map(bind));
  }
}

function install() {
  if (installed) return;
  installed = true;
  Object.defineProperty(OriginalPromise.prototype, 'then', {
    get: () => thenInContext(current),
    set(value) {
      Object.defineProperty(this, 'then', { value, writable: true, enumerable: true, configurable: true });
    },
    enumerable: false,
    configurable: true,
  });
  const PromiseWrapper = createPromiseWrapper();
  Object.defineProperty(OriginalPromise.prototype, 'constructor', { value: PromiseWrapper });
  Object.defineProperty(globalThis, 'Promise', { value: PromiseWrapper });
  const timers = require('timers');
  for (const name of ['setTimeout', 'setInterval', 'setImmediate']) {
    bindFirstArgument(timers, name);
    const value = timers[name];
    Object.defineProperty(globalThis, name, { value, writable: true, enumerable: true, configurable: true });
  }
  bindFirstArgument(globalThis, 'queueMicrotask');
  originalNextTick = process.nextTick;
  bindFirstArgument(process, 'nextTick');
  native.setPromiseHook(onPromiseEvent);
  binding.visit(bindCallbacks);
}

// Changes the context for the rest of the current callback. Later callbacks are bound when they are passed,
// so the context is reset in the next tick.
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
