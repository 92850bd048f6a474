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

class Comparison {
  constructor(strict) {
    this.strict = strict;
    // Pairs that are being compared, to detect cycles.
    this.pairs = new Map();
  }

  equal(a, b) {
    if (a === b) return a !== 0 || !this.strict || Object.is(a, b);
    if (this.strict) {
      if (typeof a !== 'object') return typeof a === 'number' && Number.isNaN(a) && Number.isNaN(b);
      if (typeof b !== 'object' || a === null || b === null) return false;
      if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
    } else {
      if (!isObject(a)) {
        // biome-ignore lint/suspicious/noDoubleEquals: loose comparison is defined by `==`
        return !isObject(b) && (a == b || (Number.isNaN(a) && Number.isNaN(b)));
      }
      if (!isObject(b)) return false;
    }
    const tag = Object.prototype.toString.call(a);
    if (tag !== Object.prototype.toString.call(b)) return false;
    // The common case, without brand checks.
    if (tag === '[object Object]' && isPlain(a) && isPlain(b)) return this.equalProperties(a, b, 'object');
    return this.equalObjects(a, b);
  }

  equalObjects(a, b) {
    if (Array.isArray(a)) {
      if (!Array.isArray(b) || a.length !== b.length) return false;
      return this.equalProperties(a, b, 'array');
    }
    if (Array.isArray(b)) return false;
    if (ArrayBuffer.isView(a) || ArrayBuffer.isView(b)) {
      if (!ArrayBuffer.isView(a) || !ArrayBuffer.isView(b)) return false;
      if (!this.equalViews(a, b)) return false;
      return this.equalProperties(a, b, 'view');
    }
    if (types.isDate(a)) {
      if (!types.isDate(b) || !Object.is(Date.prototype.getTime.call(a), Date.prototype.getTime.call(b))) return false;
    } else if (types.isRegExp(a)) {
      if (!types.isRegExp(b) || a.source !== b.source || a.flags !== b.flags || a.lastIndex !== b.lastIndex) return false;
    } else if (types.isNativeError(a) || a instanceof Error) {
      if (!(types.isNativeError(b) || b instanceof Error)) return false;
      if (a.message !== b.message || a.name !== b.name) return false;
      if (!this.equalHidden(a, b, 'cause') || !this.equalHidden(a, b, 'errors')) return false;
    } else if (types.isAnyArrayBuffer(a)) {
      if (!types.isAnyArrayBuffer(b) || !sameBytes(new Uint8Array(a), new Uint8Array(b))) return false;
    } else if (types.isBoxedPrimitive(a)) {
      if (!types.isBoxedPrimitive(b) || !Object.is(types.unbox(a), types.unbox(b))) return false;
    } else if (types.isSet(a)) {
      return types.isSet(b) && a.size === b.size && this.equalProperties(a, b, 'set');
    } else if (types.isMap(a)) {
      return types.isMap(b) && a.size === b.size && this.equalProperties(a, b, 'map');
    } else if (types.isPromise(a) || types.isWeakMap(a) || types.isWeakSet(a)) {
      return false;
    } else if (types.isDate(b) || types.isRegExp(b) || types.isNativeError(b) || types.isSet(b) ||
        types.isMap(b) || types.isAnyArrayBuffer(b) || types.isBoxedPrimitive(b)) {
      return false;
    }
    return this.equalProperties(a, b, 'object');
  }

  // Compares a property of errors that is not enumerable.
  equalHidden(a, b, key) {
    const inA = Object.hasOwn(a, key);
    if (inA !== Object.hasOwn(b, key)) return false;
    return !inA || isEnumerable(a, key) || this.equal(a[key], b[key]);
  }

  equalViews(a, b) {
    const typed = types.isTypedArray(a);
    if (typed !== types.isTypedArray(b)) return false;
    if (a[Symbol.toStringTag] !== b[Symbol.toStringTag]) return false;
    const floats = types.isFloat32Array(a) || types.isFloat64Array(a);
    if (floats) return sameItems(a, b, this.strict);
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

  equalSets(a, b) {
    const unmatched = [];
    for (const item of a) {
      if (isObject(item) || !b.has(item)) {
        if (this.strict && !isObject(item)) return false;
        if (isObject(item) && b.has(item)) continue;
        unmatched.push(item);
      }
    }
    if (unmatched.length === 0) return true;
    const candidates = [...b].filter((item) => (isObject(item) || !this.strict) && !a.has(item));
    return unmatched.every((item) => {
      const at = candidates.findIndex((other) => this.equal(item, other));
      if (at === -1) return false;
      candidates.splice(at, 1);
      return true;
    });
  }

  equalMaps(a, b) {
    const unmatched = [];
    for (const [key, value] of a) {
      if (b.has(key)) {
        if (this.equal(value, b.get(key))) continue;
        if (!isObject(key)) {
          if (this.strict) return false;
        }
      } else if (this.strict && !isObject(key)) {
        return false;
      }
      unmatched.push([key, value]);
    }
    if (unmatched.length === 0) return true;
    const candidates = [...b].filter(([key]) => isObject(key) || !this.strict);
    return unmatched.every(([key, value]) => {
      const at = candidates.findIndex(([otherKey, other]) => this.equal(key, otherKey) && this.equal(value, other));
      if (at === -1) return false;
      candidates.splice(at, 1);
      return true;
    });
  }
}

module.exports = { isDeepEqual: (a, b) => new Comparison(false).equal(a, b), isDeepStrictEqual: (a, b) => new Comparison(true).equal(a, b) };
