// util.types: brand checks, by internal slots instead of prototypes. Each calls
// a built-in accessor or method that throws for objects of any other class.

const natives = binding('util');

const tagOf = (value) => Object.prototype.toString.call(value);
const isObject = (value) => typeof value === 'object' && value !== null;

function getter(prototype, name) {
  return Object.getOwnPropertyDescriptor(prototype, name).get;
}

const hasPrototype = (prototype, value) => Object.prototype.isPrototypeOf.call(prototype, value);

// Creates a check from a built-in function that throws on a foreign receiver. An
// object that inherits from Object but not from the class is rejected first,
// because an exception costs far more than a walk of the prototype chain.
function branded(Class, probe, ...args) {
  return (value) => {
    if (!isObject(value)) return false;
    if (!hasPrototype(Class.prototype, value) && hasPrototype(Object.prototype, value)) return false;
    try {
      Reflect.apply(probe, value, args);
      return true;
    } catch {
      return false;
    }
  };
}

const typedArrayTag = getter(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag);
const typedArrayName = (value) => Reflect.apply(typedArrayTag, value, []);
const named = (name) => (value) => typedArrayName(value) === name;

const probeKey = {};
const isMap = branded(Map, getter(Map.prototype, 'size'));
const isSet = branded(Set, getter(Set.prototype, 'size'));
const isWeakMap = branded(WeakMap, WeakMap.prototype.has, probeKey);
const isWeakSet = branded(WeakSet, WeakSet.prototype.has, probeKey);
const isArrayBuffer = branded(ArrayBuffer, getter(ArrayBuffer.prototype, 'byteLength'));
const isSharedArrayBuffer = branded(SharedArrayBuffer, getter(SharedArrayBuffer.prototype, 'byteLength'));
const isDataView = branded(DataView, getter(DataView.prototype, 'buffer'));
const isDate = branded(Date, Date.prototype.getTime);
const isRegExp = (value) => isObject(value) && value !== RegExp.prototype && regExpBrand(value);
const regExpBrand = branded(RegExp, getter(RegExp.prototype, 'source'));
const isNumberObject = branded(Number, Number.prototype.valueOf);
const isStringObject = branded(String, String.prototype.valueOf);
const isBooleanObject = branded(Boolean, Boolean.prototype.valueOf);
const isBigIntObject = branded(BigInt, BigInt.prototype.valueOf);
const isSymbolObject = branded(Symbol, Symbol.prototype.valueOf);

const iteratorPrototype = (iterable) => Object.getPrototypeOf(iterable[Symbol.iterator]());
const mapIteratorPrototype = iteratorPrototype(new Map());
const setIteratorPrototype = iteratorPrototype(new Set());
const generatorPrototype = Object.getPrototypeOf(function* () {}).prototype;
const asyncGeneratorPrototype = Object.getPrototypeOf(async function* () {}).prototype;
const inherits = (prototype) => (value) => isObject(value) && prototype.isPrototypeOf(value);

function functionText(value) {
  try {
    return Function.prototype.toString.call(value);
  } catch {
    // A proxy of a function has no source text.
    return 'function () { [native code] }';
  }
}

function isAsyncFunction(value) {
  return typeof value === 'function' && /^(static\s+)?async\b/.test(functionText(value));
}

function isGeneratorFunction(value) {
  return typeof value === 'function' && /^(static\s+)?(async\s*)?(function\s*)?\*/.test(functionText(value));
}

function isNativeError(value) {
  if (!isObject(value)) return false;
  if (Error.isError) return Error.isError(value);
  return tagOf(value) === '[object Error]';
}

const types = {
  isExternal: () => false,
  isDate,
  isArgumentsObject: (value) => isObject(value) && !(Symbol.toStringTag in value) && tagOf(value) === '[object Arguments]',
  isBigIntObject,
  isBooleanObject,
  isNumberObject,
  isStringObject,
  isSymbolObject,
  isNativeError,
  isRegExp,
  isAsyncFunction,
  isGeneratorFunction,
  isGeneratorObject: (value) => inherits(generatorPrototype)(value) || inherits(asyncGeneratorPrototype)(value),
  isPromise: (value) => isObject(value) && natives.promiseDetails(value) != null,
  isMap,
  isSet,
  isMapIterator: inherits(mapIteratorPrototype),
  isSetIterator: inherits(setIteratorPrototype),
  isWeakMap,
  isWeakSet,
  isArrayBuffer,
  isDataView: (value) => ArrayBuffer.isView(value) && isDataView(value),
  isSharedArrayBuffer,
  isProxy: (value) => (isObject(value) || typeof value === 'function') && natives.proxyDetails(value) != null,
  isModuleNamespaceObject: (value) => isObject(value) && Object.getPrototypeOf(value) === null &&
    Object.getOwnPropertyDescriptor(value, Symbol.toStringTag)?.value === 'Module' && Object.isSealed(value),
  isAnyArrayBuffer: (value) => isArrayBuffer(value) || isSharedArrayBuffer(value),
  isBoxedPrimitive: (value) => isNumberObject(value) || isStringObject(value) || isBooleanObject(value) ||
    isBigIntObject(value) || isSymbolObject(value),
  isArrayBufferView: ArrayBuffer.isView,
  isTypedArray: (value) => typedArrayName(value) !== undefined,
  isUint8Array: named('Uint8Array'),
  isUint8ClampedArray: named('Uint8ClampedArray'),
  isUint16Array: named('Uint16Array'),
  isUint32Array: named('Uint32Array'),
  isInt8Array: named('Int8Array'),
  isInt16Array: named('Int16Array'),
  isInt32Array: named('Int32Array'),
  isFloat32Array: named('Float32Array'),
  isFloat64Array: named('Float64Array'),
  isBigInt64Array: named('BigInt64Array'),
  isBigUint64Array: named('BigUint64Array'),
  isKeyObject: () => false,
  isCryptoKey: () => false,
};

module.exports = types;
Object.defineProperty(types, 'functionText', { value: functionText, enumerable: false });
