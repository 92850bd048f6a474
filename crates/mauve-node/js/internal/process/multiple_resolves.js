// The event 'multipleResolves'. The engine does not report calls of resolve() and reject() that have no
// effect, so the global constructor is replaced when a script adds a listener.
let isInstalled = false;

exports.install = function install() {
  if (isInstalled) return;
  isInstalled = true;
  require('internal/process/warning').deprecate('The multipleResolves event has been deprecated.', 'DEP0160');
  const observed = new Proxy(Promise, {
    construct(target, [executor], newTarget) {
      if (typeof executor !== 'function') return Reflect.construct(target, [executor], newTarget);
      let promise;
      let isSettled = false;
      const observe = (type, settle) => (value) => {
        if (isSettled) process.nextTick(() => process.emit('multipleResolves', type, promise, value));
        isSettled = true;
        settle(value);
      };
      promise = Reflect.construct(target, [(resolve, reject) => {
        executor(observe('resolve', resolve), observe('reject', reject));
      }], newTarget);
      return promise;
    },
    // The static methods must see the original constructor: Promise.resolve() compares it with that of its
    // argument.
    get(target, key, receiver) {
      const value = Reflect.get(target, key, receiver);
      if (receiver !== observed || typeof value !== 'function') return value;
      return (...args) => Reflect.apply(value, target, args);
    },
  });
  globalThis.Promise = observed;
};
