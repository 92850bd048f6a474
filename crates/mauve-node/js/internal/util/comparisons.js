// Deep equality, loose and strict, for assert and util.
const types = require('internal/util/types');
const isObject = (value) => value !== null && typeof value === 'object';
const viewBytes = (view) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

function sameBytes(a, b) {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

function sameItems(a, b, strict) {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) {
    if (strict ? !Object.is(a[i], b[i]) : a[i] !== b[i] && !(Number.isNaN(a[i]) && Number.isNaN(b[i]))) return false;
  }
  return true;
}

function isEnumerable(object, key) { return Object.prototype.propertyIsEnumerable.call(object, key); }

function ownKeys(value, strict) {
  const keys = Object.keys(value);
  if (!strict) return keys;
  return [...keys, ...Object.getOwnPropertySymbols(value).filter((key) => isEnumerable(value, key))];
}

function isPlain(value) {
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype && !Array.isArray(value) && !types.isNativeError(value);
}

const isError = (value) => types.isNativeError(value) || value instanceof Error;
const never = () => false;

// The built-in classes with internal slots, and whether those of two of their objects are equal.
const CLASSES = [
  [Array.isArray, (a, b) => a.length === b.length, 'array'],
  [ArrayBuffer.isView, (a, b, by) => by.equalViews(a, b), 'view'],
  [types.isDate, (a, b) => Object.is(Date.prototype.getTime.call(a), Date.prototype.getTime.call(b))],
  [types.isRegExp, (a, b) => ['source', 'flags', 'lastIndex'].every((name) => a[name] === b[name])],
  [isError, (a, b, by) => a.message === b.message && a.name === b.name && by.equalHidden(a, b, 'cause') && by.equalHidden(a, b, 'errors')],
  [types.isAnyArrayBuffer, (a, b) => sameBytes(new Uint8Array(a), new Uint8Array(b))],
  [types.isBoxedPrimitive, (a, b) => Object.is(types.unbox(a), types.unbox(b))],
  [types.isSet, (a, b) => a.size === b.size, 'set'],
  [types.isMap, (a, b) => a.size === b.size, 'map'],
  [types.isPromise, never], [types.isWeakMap, never], [types.isWeakSet, never],
];

class Comparison {
  // Pairs that are being compared, to detect cycles.
  pairs = new Map();
  constructor(strict) { this.strict = strict; }

  equal(a, b) {
    if (a === b) return a !== 0 || !this.strict || Object.is(a, b);
    if (this.strict) {
      if (typeof a !== 'object') return typeof a === 'number' && Number.isNaN(a) && Number.isNaN(b);
      if (typeof b !== 'object' || a === null || b === null) return false;
      if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
    } else {
      // biome-ignore lint/suspicious/noDoubleEquals: loose comparison is defined by `==`
      if (!isObject(a)) return !isObject(b) && (a == b || (Number.isNaN(a) && Number.isNaN(b)));
      if (!isObject(b)) return false;
    }
    const tag = Object.prototype.toString.call(a);
    if (tag !== Object.prototype.toString.call(b)) return false;
    // The common case, without brand checks.
    if (tag === '[object Object]' && isPlain(a) && isPlain(b)) return this.equalProperties(a, b, 'object');
    const [is, same, type = 'object'] = CLASSES.find(([check]) => check(a)) ?? [];
    if (!is) return !CLASSES.slice(0, -3).some(([check]) => check(b)) && this.equalProperties(a, b, 'object');
    return is(b) && same(a, b, this) && this.equalProperties(a, b, type);
  }

  // Compares a property of errors that is not enumerable.
  equalHidden(a, b, key) {
    const inA = Object.hasOwn(a, key);
    if (inA !== Object.hasOwn(b, key)) return false;
    return !inA || isEnumerable(a, key) || this.equal(a[key], b[key]);
  }

  equalViews(a, b) {
    if (types.isTypedArray(a) !== types.isTypedArray(b) || a[Symbol.toStringTag] !== b[Symbol.toStringTag]) return false;
    if (types.isFloat32Array(a) || types.isFloat64Array(a)) return sameItems(a, b, this.strict);
    return sameBytes(viewBytes(a), viewBytes(b));
  }

  // Compares the own properties, and the contents of sets and maps.
  equalProperties(a, b, type) {
    let keysA = ownKeys(a, this.strict);
    let keysB = ownKeys(b, this.strict);
    if (type === 'view') {
      keysA = keysA.slice(a.length ?? 0);
      keysB = keysB.slice(b.length ?? 0);
    }
    if (keysA.length !== keysB.length) return false;
    if (!keysA.every((key) => Object.hasOwn(b, key) && (!this.strict || isEnumerable(b, key)))) return false;

    const before = this.pairs.get(a);
    if (before !== undefined && before === b) return true;
    this.pairs.set(a, b);
    const same = this.equalContents(a, b, type) && keysA.every((key) => this.equal(a[key], b[key]));
    if (before === undefined) this.pairs.delete(a);
    else this.pairs.set(a, before);
    return same;
  }

  equalContents(a, b, type) {
    if (type === 'set') return this.equalSets(a, b);
    return type !== 'map' || this.equalMaps(a, b);
  }

  // Whether each item is equal to another candidate.
  pair(unmatched, candidates, same) {
    return unmatched.every((item) => {
      const at = candidates.findIndex((other) => same(item, other));
      if (at !== -1) candidates.splice(at, 1);
      return at !== -1;
    });
  }

  equalSets(a, b) {
    const unmatched = [...a].filter((item) => !b.has(item));
    if (this.strict && !unmatched.every(isObject)) return false;
    const candidates = unmatched.length > 0 ? [...b].filter((item) => (isObject(item) || !this.strict) && !a.has(item)) : [];
    return this.pair(unmatched, candidates, (item, other) => this.equal(item, other));
  }

  equalMaps(a, b) {
    const unmatched = [...a].filter(([key, value]) => !b.has(key) || !this.equal(value, b.get(key)));
    if (this.strict && !unmatched.every(([key]) => isObject(key))) return false;
    const candidates = unmatched.length > 0 ? [...b].filter(([key]) => isObject(key) || !this.strict) : [];
    return this.pair(unmatched, candidates, ([key, value], [otherKey, other]) => this.equal(key, otherKey) && this.equal(value, other));
  }
}

module.exports = { isDeepEqual: (a, b) => new Comparison(false).equal(a, b), isDeepStrictEqual: (a, b) => new Comparison(true).equal(a, b) };
