// The mocks of node:test: functions that record their calls.
const { codes, refuse } = require('internal/errors');
const { validateFunction, validateInteger, validateObject } = require('internal/validators');
let call;

class MockFunctionContext {
  #calls = [];
  #once = new Map();
  #settings;

  // `original`, `implementation`, the number of `times` that it is called, and `undo`.
  constructor(settings) { this.#settings = settings; }

  static {
    call = (context, self, args, target) => {
      const index = context.#calls.length;
      const { original, implementation, times, undo } = context.#settings;
      const fn = context.#once.get(index) ?? (index < times ? implementation : original);
      context.#once.delete(index);
      if (index + 1 === times && undo) context.restore();
      const record = { arguments: args, error: undefined, result: undefined, stack: new Error(), target, this: self };
      try {
        record.result = target ? Reflect.construct(fn, args, target) : Reflect.apply(fn, self, args);
        if (target) record.this = record.result;
        return record.result;
      } catch (error) {
        record.error = error;
        throw error;
      } finally {
        context.#calls.push(record);
      }
    };
  }

  get calls() { return [...this.#calls]; }
  callCount() { return this.#calls.length; }

  mockImplementation(implementation) {
    validateFunction(implementation, 'implementation');
    this.#settings.implementation = implementation;
  }

  mockImplementationOnce(implementation, onCall = this.#calls.length) {
    validateFunction(implementation, 'implementation');
    validateInteger(onCall, 'onCall', this.#calls.length);
    this.#once.set(onCall, implementation);
  }

  restore() {
    Object.assign(this.#settings, { implementation: this.#settings.original, times: Infinity });
    this.#once.clear();
    this.#settings.undo?.();
  }

  resetCalls() { this.#calls = []; }
}

class MockTracker {
  #contexts = [];

  // A function with the name, the length and the prototype of the original.
  #create(original, implementation = original, { times = Infinity } = {}, undo = undefined) {
    validateFunction(original, 'original');
    validateFunction(implementation, 'implementation');
    if (times !== Infinity) validateInteger(times, 'options.times', 1);
    const context = new MockFunctionContext({ original, implementation, times, undo });
    this.#contexts.push(context);
    const mocked = new Proxy(original, {
      apply: (target, self, args) => call(context, self, args, undefined),
      construct: (target, args, newTarget) => call(context, undefined, args, newTarget === mocked ? target : newTarget),
      get: (target, name, receiver) => (name === 'mock' ? context : Reflect.get(target, name, receiver)),
    });
    return mocked;
  }

  fn(original = function () {}, implementation = undefined, options = {}) {
    if (original !== null && typeof original === 'object') return this.#create(function () {}, undefined, original);
    if (implementation !== null && typeof implementation === 'object') return this.#create(original, original, implementation);
    return this.#create(original, implementation, options);
  }

  method(object, name, implementation, options = {}) {
    if (typeof object !== 'function') validateObject(object, 'object');
    if (implementation !== null && typeof implementation === 'object') [implementation, options] = [undefined, implementation];
    const kind = options.getter ? 'get' : options.setter ? 'set' : 'value';
    let descriptor;
    for (let at = object; at != null && !descriptor; at = Object.getPrototypeOf(at)) descriptor = Object.getOwnPropertyDescriptor(at, name);
    const original = descriptor?.[kind];
    if (typeof original !== 'function') throw new codes.ERR_INVALID_ARG_VALUE('methodName', original, 'must be a method');
    const own = Object.getOwnPropertyDescriptor(object, name);
    const mocked = this.#create(original, implementation, options, () => (own ? Object.defineProperty(object, name, own) : delete object[name]));
    Object.defineProperty(object, name, { ...descriptor, [kind]: mocked });
    return mocked;
  }

  getter(object, name, implementation, options) { return this.method(object, name, implementation ?? { ...options, getter: true }, { ...options, getter: true }); }
  setter(object, name, implementation, options) { return this.method(object, name, implementation ?? { ...options, setter: true }, { ...options, setter: true }); }
  restoreAll() { for (const context of this.#contexts) context.restore(); }
  reset() { for (const context of this.#contexts.splice(0)) context.restore(); }
}
refuse(MockTracker.prototype, 'mock', ['module', 'property']);

module.exports = { MockTracker };
