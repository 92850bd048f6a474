// Defines properties that are computed when they are read, such as modules that few scripts need. The functions get the
// object.
exports.defineGetters = function defineGetters(object, getters, enumerable = true) {
  for (const name in getters) {
    const get = getters[name];
    Object.defineProperty(object, name, { configurable: true, enumerable, get() { return get(this); } });
  }
};

// Defines a property that is computed until a program sets it. With `isKept` the first value is kept.
exports.defineComputed = function defineComputed(object, name, compute,
  { isKept = false, enumerable = false, enumerableWhenSet = true } = {}) {
  const set = (target, value) => Object.defineProperty(target, name,
    { value, writable: true, enumerable: enumerableWhenSet, configurable: true });
  Object.defineProperty(object, name, {
    configurable: true,
    enumerable,
    get() {
      const value = compute(this);
      if (isKept) set(this, value);
      return value;
    },
    set(value) { set(this, value); },
  });
};
