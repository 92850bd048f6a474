// process.env: an object whose values are always strings. Child processes inherit changes.

const native = binding('process');

exports.createEnv = function createEnv() {
  const values = Object.assign(Object.create(Object.prototype), native.environment());
  return new Proxy(values, {
    set(target, key, value) {
      if (typeof key === 'symbol') throw symbolError();
      if (typeof value === 'symbol') throw symbolError();
      target[key] = String(value);
      return true;
    },
    defineProperty(target, key, descriptor) {
      if ('value' in descriptor) {
        target[key] = String(descriptor.value);
        return true;
      }
      const { codes } = require('internal/errors');
      throw new codes.ERR_INVALID_OBJECT_DEFINE_PROPERTY(
        "'process.env' does not accept an accessor(getter/setter) descriptor");
    },
  });
};

function symbolError() {
  return new TypeError('Cannot convert a Symbol value to a string');
}
