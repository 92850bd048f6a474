// The module 'async_hooks': AsyncLocalStorage and AsyncResource. Hooks cannot be enabled, because the
// engine does not report asynchronous operations.

const { codes } = require('internal/errors');
const context = require('internal/async_context');
const { validateFunction, validateString } = require('internal/validators');

let lastId = 1;
let executionId = 1;
let triggerId = 0;
const topResource = {};
let currentResource = topResource;

class AsyncLocalStorage {
  constructor() {
    context.install();
  }

  static bind(fn) {
    validateFunction(fn, 'fn');
    return AsyncResource.bind(fn);
  }

  static snapshot() {
    return AsyncLocalStorage.bind((fn, ...args) => fn(...args));
  }

  #with(store) {
    return new Map(context.get()).set(this, store);
  }

  run(store, callback, ...args) {
    return context.runWith(this.#with(store), callback, undefined, args);
  }

  exit(callback, ...args) {
    const without = new Map(context.get());
    without.delete(this);
    return context.runWith(without.size === 0 ? undefined : without, callback, undefined, args);
  }

  enterWith(store) {
    context.enter(this.#with(store));
  }

  getStore() {
    return context.get()?.get(this);
  }

  disable() {
    const stores = context.get();
    if (stores?.has(this)) {
      const without = new Map(stores);
      without.delete(this);
      context.enter(without.size === 0 ? undefined : without);
    }
  }
}

class AsyncResource {
  #id = ++lastId;
  #trigger;
  #context = context.get();

  constructor(type, options = {}) {
    validateString(type, 'type');
    let trigger = options;
    if (typeof options !== 'number') trigger = options.triggerAsyncId ?? executionId;
    if (!Number.isSafeInteger(trigger) || trigger < -1) {
      throw new codes.ERR_INVALID_ASYNC_ID('triggerAsyncId', trigger);
    }
    if (type.length === 0) throw new codes.ERR_ASYNC_TYPE(type);
    this.#trigger = trigger;
  }

  runInAsyncScope(fn, receiver, ...args) {
    const outer = [executionId, triggerId, currentResource];
    [executionId, triggerId, currentResource] = [this.#id, this.#trigger, this];
    try {
      return context.runWith(this.#context, fn, receiver, args);
    } finally {
      [executionId, triggerId, currentResource] = outer;
    }
  }

  emitDestroy() {
    return this;
  }

  asyncId() {
    return this.#id;
  }

  triggerAsyncId() {
    return this.#trigger;
  }

  bind(fn, receiver) {
    validateFunction(fn, 'fn');
    const resource = this;
    const bound = receiver === undefined ? function (...args) {
      return resource.runInAsyncScope(fn, this, ...args);
    } : this.runInAsyncScope.bind(this, fn, receiver);
    return Object.defineProperties(bound, {
      length: { configurable: true, enumerable: false, value: fn.length, writable: false },
    });
  }

  static bind(fn, type, receiver) {
    return new AsyncResource(type || fn.name || 'bound-anonymous-fn').bind(fn, receiver);
  }
}

// Libraries create hooks when they are loaded. Enabling one throws, because it would never be called.
function createHook(callbacks) {
  for (const name of ['init', 'before', 'after', 'destroy', 'promiseResolve']) {
    if (callbacks[name] !== undefined && typeof callbacks[name] !== 'function') {
      throw new codes.ERR_ASYNC_CALLBACK(`hook.${name}`);
    }
  }
  return {
    enable() {
      throw new codes.ERR_FEATURE_UNAVAILABLE_ON_PLATFORM('async_hooks.createHook().enable()');
    },
    disable() {
      return this;
    },
  };
}

module.exports = {
  AsyncLocalStorage,
  createHook,
  executionAsyncId: () => executionId,
  triggerAsyncId: () => triggerId,
  executionAsyncResource: () => currentResource,
  asyncWrapProviders: Object.freeze(Object.assign(Object.create(null), { NONE: 0 })),
  AsyncResource,
};
