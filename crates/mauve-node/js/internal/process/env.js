// process.env: an object whose values are always strings. Child processes inherit changes.

const native = binding('process');

exports.createEnv = function createEnv() {
  const values = Object.assign(Object.create(Object.prototype), native.environment());
  return new Proxy(values, {
    set(target, key, value) {
      if (typeof key === 'symbol') throw symbolError();
      if (typeof value === 'symbol') throw symbolError();
      if (key === '') return true;
      target[key] = String(value);
      return true;
    },
    defineProperty(target, key, descriptor) {
      const { configurable, writable, enumerable, value } = descriptor;
      if (configurable && writable && enumerable && 'value' in descriptor) {
        target[key] = String(value);
        return true;
      }
      const { codes } = require('internal/errors');
      const isAccessor = 'get' in descriptor || 'set' in descriptor;
      throw new codes.ERR_INVALID_OBJECT_DEFINE_PROPERTY(`'process.env' ${isAccessor
        ? 'does not accept an accessor(getter/setter) descriptor'
        : 'only accepts a configurable, writable, and enumerable data descriptor'}`);
    },
  });
};

function symbolError() {
  return new TypeError('Cannot convert a Symbol value to a string');
}
