// The module 'async_hooks'.
const { codes } = require('internal/errors');
const context = require('internal/async_context');
const { validateFunction, validateObject, validateString } = require('internal/validators');

// From here on callbacks have ids.
context.track();

class AsyncLocalStorage {
  static bind(fn) {
    validateFunction(fn, 'fn');
    return AsyncResource.bind(fn);
  }

  static snapshot() { return AsyncLocalStorage.bind((fn, ...args) => fn(...args)); }

  #isEnabled = false;

  #with(store) {
    this.#isEnabled = true;
    context.trackPromises();
    return new Map(context.getCurrent().stores).set(this, store);
  }

  #without() {
    const stores = new Map(context.getCurrent().stores);
    stores.delete(this);
    return stores.size === 0 ? undefined : stores;
  }

  run(store, callback, ...args) { return context.runWith(this.#with(store), callback, undefined, args); }
  exit(callback, ...args) { return context.runWith(this.#without(), callback, undefined, args); }

  enterWith(store) {
    const stores = this.#with(store);
    context.getCurrent().stores = stores;
  }

  getStore() { return this.#isEnabled ? context.getCurrent().stores?.get(this) : undefined; }

  // The store is gone in all contexts, until run() or enterWith() is called.
  disable() {
    this.#isEnabled = false;
    context.getCurrent().stores = this.#without();
  }
}

class AsyncResource {
  #record;
  // Set if 'destroy' is emitted when the resource is collected.
  #token;

  constructor(type, options = {}) {
    validateString(type, 'type');
    let trigger = options;
    let isManual = false;
    if (typeof options !== 'number') {
      validateObject(options, 'options', { nullable: false });
      ({ triggerAsyncId: trigger = context.getCurrent().id } = options);
      isManual = !!options.requireManualDestroy;
    }
    if (!Number.isSafeInteger(trigger) || trigger < -1) throw new codes.ERR_INVALID_ASYNC_ID('triggerAsyncId', trigger);
    if (type.length === 0 && context.getHooks().some((hook) => hook.init)) throw new codes.ERR_ASYNC_TYPE(type);
    this.#record = context.create(type, this, trigger);
    if (!isManual) this.#token = context.destroyWhenCollected(this, this.#record);
  }

  runInAsyncScope(fn, receiver, ...args) { return context.runScope(this.#record, fn, receiver, args); }

  emitDestroy() {
    if (this.#token !== undefined) this.#token.isDestroyed = true;
    this.#record.isDestroyed = false;
    context.destroy(this.#record);
    return this;
  }

  asyncId() { return this.#record.id; }
  triggerAsyncId() { return this.#record.trigger; }

  bind(fn, receiver) {
    validateFunction(fn, 'fn');
    const resource = this;
    const bound = receiver === undefined ? function (...args) {
      return resource.runInAsyncScope(fn, this, ...args);
    } : this.runInAsyncScope.bind(this, fn, receiver);
    return Object.defineProperties(bound, {
      length: { configurable: true, enumerable: false, value: fn.length, writable: false },
      asyncResource: { configurable: true, enumerable: true, value: this, writable: true },
    });
  }

  static bind(fn, type, receiver) { return new AsyncResource(type || fn.name || 'bound-anonymous-fn').bind(fn, receiver); }
}

const EVENTS = ['init', 'before', 'after', 'destroy', 'promiseResolve'];

class AsyncHook {
  constructor(callbacks) {
    for (const name of EVENTS) {
      if (callbacks[name] !== undefined && typeof callbacks[name] !== 'function') throw new codes.ERR_ASYNC_CALLBACK(`hook.${name}`);
      Object.defineProperty(this, name, { value: callbacks[name], enumerable: false });
    }
  }

  enable() {
    const hooks = context.getHooks();
    if (!hooks.includes(this)) context.setHooks([...hooks, this]);
    return this;
  }

  disable() {
    context.setHooks(context.getHooks().filter((hook) => hook !== this));
    return this;
  }
}

module.exports = {
  AsyncLocalStorage,
  createHook: (callbacks) => new AsyncHook(callbacks),
  executionAsyncId: () => context.getCurrent().id,
  triggerAsyncId: () => context.getCurrent().trigger,
  executionAsyncResource: context.getResource,
  asyncWrapProviders: Object.freeze(Object.assign(Object.create(null), { NONE: 0 })),
  AsyncResource,
};
