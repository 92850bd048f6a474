// process.env: an object whose values are always strings. Child processes inherit changes.
const native = binding('process');

exports.createEnv = function createEnv(variables = native.environment()) {
  const values = Object.assign(Object.create(Object.prototype), variables);
  return new Proxy(values, {
    set(target, key, value) {
      if (typeof key === 'symbol') throw symbolError();
      if (typeof value === 'symbol') throw symbolError();
      if (key === '') return true;
      setValue(target, key, value);
      return true;
    },
    deleteProperty(target, key) {
      if (key === 'TZ') native.setTimeZone(undefined);
      return Reflect.deleteProperty(target, key);
    },
    defineProperty(target, key, descriptor) {
      const { configurable, writable, enumerable, value } = descriptor;
      if (configurable && writable && enumerable && 'value' in descriptor) {
        setValue(target, key, value);
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

function setValue(target, key, value) {
  target[key] = String(value);
  // Dates show the local time of this zone from now on.
  if (key === 'TZ') native.setTimeZone(target.TZ);
}

function symbolError() { return new TypeError('Cannot convert a Symbol value to a string'); }
