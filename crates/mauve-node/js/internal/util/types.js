// util.types: checks of the classes of values in the engine, instead of their prototypes.
const natives = binding('util');
const { classId } = natives;
const isObject = (value) => typeof value === 'object' && value !== null;

// Creates a check for values of the same class as one of the samples.
function like(...samples) {
  const ids = samples.map((sample) => classId(sample));
  if (ids.length > 1) return (value) => ids.includes(classId(value));
  const [id] = ids;
  return (value) => classId(value) === id;
}

function functionText(value) {
  try {
    return Function.prototype.toString.call(value);
  } catch {
    // A proxy of a function has no source text.
    return 'function () { [native code] }';
  }
}

const [buffer, shared] = [new ArrayBuffer(0), new SharedArrayBuffer(0)];
const isDataView = like(new DataView(buffer));
const boxes = [1n, true, 1, '', Symbol.iterator].map(Object);

// The value of a boxed primitive, whatever its prototype.
function unbox(value) {
  const box = boxes.find((sample) => classId(sample) === classId(value));
  return Reflect.apply(box.valueOf, value, []);
}

const types = {
  isExternal: () => false,
  isDate: like(new Date(0)),
  // Those of sloppy and of strict functions.
  isArgumentsObject: like(new Function('return arguments')(), new Function('"use strict"; return arguments')()),
  isBigIntObject: like(boxes[0]),
  isBooleanObject: like(boxes[1]),
  isNumberObject: like(boxes[2]),
  isStringObject: like(boxes[3]),
  isSymbolObject: like(boxes[4]),
  isNativeError: like(new Error('')),
  isRegExp: like(/./),
  isAsyncFunction: like(async () => {}, async function* () {}),
  isGeneratorFunction: like(function* () {}, async function* () {}),
  isGeneratorObject: like((function* () {})(), (async function* () {})()),
  isPromise: like(Promise.resolve()),
  isMap: like(new Map()),
  isSet: like(new Set()),
  isMapIterator: like(new Map().keys()),
  isSetIterator: like(new Set().keys()),
  isWeakMap: like(new WeakMap()),
  isWeakSet: like(new WeakSet()),
  isArrayBuffer: like(buffer),
  isSharedArrayBuffer: like(shared),
  isProxy: (value) => (isObject(value) || typeof value === 'function') && natives.proxyDetails(value) != null,
  isModuleNamespaceObject: (value) => isObject(value) && Object.getPrototypeOf(value) === null &&
    Object.getOwnPropertyDescriptor(value, Symbol.toStringTag)?.value === 'Module' && Object.isSealed(value),
  isAnyArrayBuffer: like(buffer, shared),
  isBoxedPrimitive: like(...boxes),
  isArrayBufferView: ArrayBuffer.isView,
  isDataView,
  isTypedArray: (value) => ArrayBuffer.isView(value) && !isDataView(value),
};
for (const Class of [Uint8Array, Uint8ClampedArray, Uint16Array, Uint32Array, Int8Array, Int16Array, Int32Array,
  globalThis.Float16Array, Float32Array, Float64Array, BigInt64Array, BigUint64Array]) types[`is${Class.name}`] = like(new Class());
Object.assign(types, { isKeyObject: () => false, isCryptoKey: () => false });

module.exports = types;
Object.defineProperties(types, { functionText: { value: functionText }, unbox: { value: unbox } });
