// structuredClone: the structured clone algorithm of the HTML standard.

const types = require('internal/util/types');

const { classId } = binding('util');
const PLAIN = classId({});

const ERROR_NAMES = { EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError };

function cloneError(message) {
  const { DOMException } = require('internal/dom_exception');
  return new DOMException(message, 'DataCloneError');
}

// Throws V8's error: `#<Promise> could not be cloned.`
function throwNotCloneable(value) {
  let name;
  if (typeof value === 'function') name = types.functionText(value);
  else if (typeof value === 'symbol') name = String(value);
  else name = `#<${value.constructor?.name ?? 'Object'}>`;
  throw cloneError(`${name} could not be cloned.`);
}

class Cloner {
  constructor() {
    this.copies = new Map();
  }

  clone(value) {
    if (typeof value === 'symbol' || typeof value === 'function') throwNotCloneable(value);
    if (value === null || typeof value !== 'object') return value;
    const seen = this.copies.get(value);
    if (seen !== undefined) return seen;
    return this.object(value);
  }

  remember(value, copy) {
    this.copies.set(value, copy);
    return copy;
  }

  object(value) {
    if (classId(value) === PLAIN) return this.properties(value, this.remember(value, {}));
    if (types.isProxy(value) && value !== process.env) throwNotCloneable(value);
    if (Array.isArray(value)) return this.properties(value, this.remember(value, new Array(value.length)));
    if (ArrayBuffer.isView(value)) return this.view(value);
    if (types.isDate(value)) return this.remember(value, new Date(Date.prototype.getTime.call(value)));
    if (types.isRegExp(value)) return this.remember(value, new RegExp(value.source, value.flags));
    if (types.isMap(value)) return this.map(value);
    if (types.isSet(value)) return this.set(value);
    if (types.isArrayBuffer(value)) return this.buffer(value);
    if (types.isSharedArrayBuffer(value)) return this.remember(value, value);
    if (types.isSymbolObject(value)) throwNotCloneable(value);
    if (types.isBoxedPrimitive(value)) return this.remember(value, Object(types.unbox(value)));
    if (types.isNativeError(value)) return this.error(value);
    const isWeak = types.isWeakMap(value) || types.isWeakSet(value) || value instanceof WeakRef;
    if (types.isPromise(value) || isWeak) throwNotCloneable(value);
    return this.properties(value, this.remember(value, {}));
  }

  properties(value, copy) {
    for (const key of Object.keys(value)) {
      Object.defineProperty(copy, key, {
        value: this.clone(value[key]), writable: true, enumerable: true, configurable: true,
      });
    }
    return copy;
  }

  buffer(value) {
    return this.remember(value, value.slice(0));
  }

  view(value) {
    const { byteOffset } = value;
    const length = types.isTypedArray(value) ? value.length : value.byteLength;
    const Class = types.isTypedArray(value) ? globalThis[value[Symbol.toStringTag]] : DataView;
    // The whole buffer is cloned, even for a view of a part of it.
    return this.remember(value, new Class(this.clone(value.buffer), byteOffset, length));
  }

  map(value) {
    const copy = this.remember(value, new Map());
    for (const [key, item] of [...Map.prototype.entries.call(value)]) copy.set(this.clone(key), this.clone(item));
    return copy;
  }

  set(value) {
    const copy = this.remember(value, new Set());
    for (const item of [...Set.prototype.values.call(value)]) copy.add(this.clone(item));
    return copy;
  }

  error(value) {
    const Class = ERROR_NAMES[value.name] ?? Error;
    const error = this.remember(value, new Class());
    const define = (key, item) => Object.defineProperty(error, key, {
      value: item, writable: true, enumerable: false, configurable: true,
    });
    if (value.message !== undefined && 'message' in value) define('message', String(value.message));
    if (typeof value.stack === 'string') define('stack', value.stack);
    if (Object.hasOwn(value, 'cause')) define('cause', this.clone(value.cause));
    return error;
  }
}

function checkTransfer(list) {
  const seen = new Set();
  for (const item of list) {
    if (!types.isArrayBuffer(item)) {
      const code = 'ERR_INVALID_TRANSFER_OBJECT';
      throw Object.assign(new TypeError('Found invalid object in transferList'), { code });
    }
    if (seen.has(item)) throw cloneError('Transfer list contains duplicate ArrayBuffer');
    seen.add(item);
  }
  return seen;
}

function structuredClone(value, options = undefined) {
  if (arguments.length === 0) {
    throw Object.assign(new TypeError('The value argument must be specified'), { code: 'ERR_MISSING_ARGS' });
  }
  if (options !== undefined && options !== null && typeof options !== 'object' && typeof options !== 'function') {
    const { codes } = require('internal/errors');
    throw new codes.ERR_INVALID_ARG_TYPE('options', 'Object', options);
  }
  const given = options?.transfer ?? [];
  if (typeof given !== 'object' || typeof given[Symbol.iterator] !== 'function') {
    const { codes } = require('internal/errors');
    throw new codes.ERR_INVALID_ARG_TYPE('options.transfer', 'Array', given);
  }
  const transfer = checkTransfer(given);
  const copy = new Cloner().clone(value);
  // Detached last, because their views are cloned first.
  for (const buffer of transfer) buffer.transfer();
  return copy;
}

module.exports = { structuredClone };
