// The asynchronous context: which stores of AsyncLocalStorage a piece of code
// sees, and how that follows it through promises, ticks and timers.
//
// A context is a map from storage to store, never changed once made. Callbacks
// are bound to the context in which they are handed over. `await` is harder:
// the engine resumes a function without asking anybody. Two things help:
//
// - `await` of a promise whose constructor is not the engine's own Promise
//   treats it as a foreign thenable and reads `then`, at once, in the context
//   of the `await`. So promises show a stand-in as their constructor, and the
//   `then` they give resumes the function between two jobs: one that sets the
//   context, one that takes it away.
// - `await` of anything else makes a promise. The engine tells of that, and of
//   its being settled. A job queued at that moment runs right before the function
//   goes on, and sets the context in which the promise was made.
//
// None of this is installed before the first AsyncLocalStorage is made. From
// then on an `await` of a promise takes two more turns of the microtask queue.

const native = binding('context');

let current;
let installed = false;
let originalNextTick;

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
  if (!installed || typeof fn !== 'function') return fn;
  const context = current;
  return function bound(...args) {
    return runWith(context, fn, this, args);
  };
}

// The engine's own functions that settle a promise are anonymous natives.
function isResolver(fn) {
  return fn.name === '' && fn.length === 1 && Function.prototype.toString.call(fn).includes('[native code]');
}

let queueing = false;

// Queues a job that changes the context; it must not count as a new promise.
function queueJob(job) {
  queueing = true;
  originalThen.call(settled, job);
  queueing = false;
}

// Calls a resolver so that what it resumes runs in `context`.
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

function thenIn(context) {
  return function then(onFulfilled, onRejected) {
    return Reflect.apply(originalThen, this, [inContext(context, onFulfilled), inContext(context, onRejected)]);
  };
}

function makeStandIn() {
  function StandIn(executor) {
    if (new.target === undefined) throw new TypeError("Promise constructor cannot be invoked without 'new'");
    return Reflect.construct(OriginalPromise, [executor], new.target === StandIn ? OriginalPromise : new.target);
  }
  Object.setPrototypeOf(StandIn, OriginalPromise);
  Object.defineProperty(StandIn, 'name', { value: 'Promise' });
  Object.defineProperty(StandIn, 'prototype', { value: OriginalPromise.prototype, writable: false });
  Object.defineProperty(StandIn, Symbol.species, {
    get() {
      return this === StandIn ? OriginalPromise : this;
    },
    configurable: true,
  });
  return StandIn;
}

let resetQueued = false;

// The contexts in which promises were made that do not come from others. One of
// them may be what an `await` waits for.
const contexts = new WeakMap();

function onPromise(promise, event) {
  if (queueing) return;
  if (event === 'made') contexts.set(promise, current);
  if (!contexts.has(promise)) return;
  const context = contexts.get(promise);
  if (event === 'before') current = context;
  else if (event === 'after') current = undefined;
  else if (event === 'settled') setAhead(promise, context);
}

// Has what waits for a promise go on in its context.
function setAhead(promise, context) {
  contexts.delete(promise);
  queueJob(() => {
    current = context;
    // Nobody sets the context for what the loop calls next.
    if (context === undefined || resetQueued) return;
    resetQueued = true;
    Reflect.apply(originalNextTick, process, [() => {
      resetQueued = false;
      current = undefined;
    }]);
  });
}

// Has a function that takes a callback bind it.
function bindFirstArgument(object, name) {
  const original = object[name];
  const wrapper = function (callback, ...rest) {
    return Reflect.apply(original, this, [bind(callback), ...rest]);
  };
  Object.defineProperties(wrapper, Object.getOwnPropertyDescriptors(original));
  Object.defineProperty(object, name, { ...Object.getOwnPropertyDescriptor(object, name), value: wrapper });
}

// Bindings that call nothing back on behalf of a script, or whose callbacks are
// bound elsewhere.
const WITHOUT_CALLBACKS = new Set([
  'buffer', 'context', 'errno', 'host', 'modules', 'perf', 'process', 'signals', 'stdio', 'timers', 'url', 'util',
]);

// Has the functions of a binding bind the callbacks they are given, so that the
// answer of the system comes in the context of the question.
function bindAnswers(name, object) {
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
    get: () => thenIn(current),
    set(value) {
      Object.defineProperty(this, 'then', { value, writable: true, enumerable: true, configurable: true });
    },
    enumerable: false,
    configurable: true,
  });
  const StandIn = makeStandIn();
  Object.defineProperty(OriginalPromise.prototype, 'constructor', { value: StandIn });
  Object.defineProperty(globalThis, 'Promise', { value: StandIn });
  const timers = require('timers');
  for (const name of ['setTimeout', 'setInterval', 'setImmediate']) {
    bindFirstArgument(timers, name);
    Object.defineProperty(globalThis, name, { value: timers[name], writable: true, enumerable: true, configurable: true });
  }
  bindFirstArgument(globalThis, 'queueMicrotask');
  originalNextTick = process.nextTick;
  bindFirstArgument(process, 'nextTick');
  native.onPromise(onPromise);
  binding.visit(bindAnswers);
}

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
