// structuredClone, and what the serializer of the binding needs of the language.
const types = require('internal/util/types');
const { codes, webidlError } = require('internal/errors');
const native = binding('serialize');
const PLAIN = Object.prototype;
const ERRORS = { E: EvalError, R: RangeError, F: ReferenceError, S: SyntaxError, T: TypeError, U: URIError };
// The flag with the seventh bit is one of V8's own.
const FLAGS = 'gimyus-dv';
// The tags of views, by their positions in the samples. v8.serialize has other numbers, from HOST_VIEWS.
const VIEWS = [[Int8Array, 'b', 0], [Uint8Array, 'B', 1], [Uint8ClampedArray, 'C', 2], [Int16Array, 'w', 3], [Uint16Array, 'W', 4],
  [Int32Array, 'd', 5], [Uint32Array, 'D', 6], [Float32Array, 'f', 7], [Float64Array, 'F', 8], [DataView, '?', 9],
  [BigInt64Array, 'q', 11], [BigUint64Array, 'Q', 12]];
const HOST_VIEWS = 13;
const kClone = Symbol('kClone');
// The functions that make objects of the platform, by their kinds, which follow the numbers of views.
const makers = [];

function cloneError(message) {
  const { DOMException } = require('internal/dom_exception');
  return new DOMException(message, 'DataCloneError');
}

const viewOf = (value) => VIEWS.find(([Class]) => (Class === DataView ? types.isDataView(value) : types[`is${Class.name}`](value)));
const isIndex = (key) => String(key >>> 0) === key && key >>> 0 !== 4294967295;
const define = (object, key, value, enumerable) =>
  Object.defineProperty(object, key, { value, writable: true, enumerable, configurable: true });

native.setKit({
  samples: [{}, [], new Date(), /./, new Map(), new Set(), new ArrayBuffer(0), new SharedArrayBuffer(0), new Error(),
    ...VIEWS.map(([Class]) => new Class(new ArrayBuffer(0))), ...[true, 1, '', 1n].map(Object), Object(Symbol.iterator),
    Promise.resolve(), new WeakMap(), new WeakSet(), new WeakRef({}), new Proxy({}, {})],

  // Throws V8's error: `#<Promise> could not be cloned.`
  refuse(value) {
    if (value === process.env) return { ...value };
    if (types.isSharedArrayBuffer(value) && value.growable) throw new codes.ERR_MAUVE_NOT_IMPLEMENTED('clones of a SharedArrayBuffer that grows');
    let name;
    if (typeof value === 'function') name = types.functionText(value);
    else if (typeof value === 'symbol') name = String(value);
    else name = `#<${value.constructor?.name ?? 'Object'}>`;
    throw cloneError(`${name} could not be cloned.`);
  },
  hostParts(value) {
    const prototype = Object.getPrototypeOf(value);
    return prototype === PLAIN || prototype === null ? undefined : value[kClone]?.();
  },
  keysOf: (value) => Object.keys(value).map((key) => (isIndex(key) ? Number(key) : key)),
  namesOf: (value) => Object.keys(value).filter((key) => !isIndex(key)),
  isSparse: (value) => Object.keys(value).filter(isIndex).length < value.length,
  bigIntToHex: (value) => value.toString(16),
  bigIntOfHex: (hex, isNegative) => (isNegative ? -1n : 1n) * BigInt(`0x0${hex}`),
  timeOf: (value) => Date.prototype.getTime.call(value),
  regExpParts: (value) => [value.source, [...value.flags].reduce((bits, flag) => bits | 1 << FLAGS.indexOf(flag), 0)],
  entriesOf: (value) => [...Map.prototype.entries.call(value)].flat(),
  valuesOf: (value) => [...Set.prototype.values.call(value)],
  bufferOf: (value) => value.buffer,
  bytesOf: (value) => new Uint8Array(value),
  viewParts(value) {
    const { byteOffset: offset, byteLength: size, buffer } = value;
    const [, tag, index] = viewOf(value);
    return { tag: tag.charCodeAt(0), offset, size, bytes: new Uint8Array(buffer, offset, size),
      index: value instanceof require('buffer').Buffer ? 10 : index };
  },
  errorParts(value) {
    const tag = Object.keys(ERRORS).find((key) => ERRORS[key].name === value.name)?.charCodeAt(0);
    const message = value.message !== undefined && 'message' in value ? String(value.message) : undefined;
    const stack = typeof value.stack === 'string' ? value.stack : undefined;
    return { tag, message, stack, ...(Object.hasOwn(value, 'cause') ? { cause: value.cause } : {}) };
  },
  unbox: types.unbox,
  box: Object,
  makeDate: (time) => new Date(time),
  makeRegExp: (source, bits) => new RegExp(source, [...FLAGS].filter((flag, index) => bits >> index & 1).join('')),
  makeMap: () => new Map(),
  addEntry: (map, key, value) => { map.set(key, value); },
  makeSet: () => new Set(),
  addValue: (set, value) => { set.add(value); },
  makeError: (tag) => new (tag ? ERRORS[String.fromCharCode(tag)] : Error)(),
  defineHidden: (object, key, value) => { define(object, key, value, false); },
  defineProto: (object, value) => { define(object, '__proto__', value, true); },
  makeView(code, buffer, offset, size) {
    const [Class] = VIEWS.find(([, tag]) => tag.charCodeAt(0) === code);
    return new Class(buffer, offset, size / (Class.BYTES_PER_ELEMENT ?? 1));
  },
  isViewIndex: (kind) => kind < HOST_VIEWS,
  makeHost(kind, value) {
    if (kind >= HOST_VIEWS) return makers[kind - HOST_VIEWS](value);
    if (kind === 10) return require('buffer').Buffer.from(value);
    const [Class] = VIEWS.find(([, , index]) => index === kind);
    return new Class(value);
  },
});

const isObject = (value) => (typeof value === 'object' && value !== null) || typeof value === 'function';
function fail(text) { throw webidlError(`Failed to execute 'structuredClone': ${text}`); }

// Serializes a value with a list of objects to transfer: buffers, and objects of the platform, such as ports. Returns the
// bytes, the new owners of the buffers, and the objects.
function serialize(value, list) {
  const buffers = new Set();
  const objects = new Set();
  for (const item of list) {
    if (buffers.has(item)) throw cloneError('Transfer list contains duplicate ArrayBuffer');
    if (types.isArrayBuffer(item)) buffers.add(item);
    else if (typeof item?.[kClone] === 'function' && item.isTransferable) objects.add(item);
    else throw cloneError('Found invalid value in transferList.');
  }
  const before = serialize.objects;
  serialize.objects = [...objects];
  try {
    const bytes = native.serialize(value, [...buffers], false);
    // Detached last, because their views are cloned first.
    return { bytes, buffers: [...buffers].map((buffer) => buffer.transfer()), objects: [...objects] };
  } finally {
    serialize.objects = before;
  }
}
serialize.objects = [];

function structuredClone(value, options = undefined) {
  if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('The value argument must be specified');
  if (options !== undefined && options !== null && !isObject(options)) fail('Options cannot be converted to a dictionary');
  const given = options?.transfer === undefined ? [] : options.transfer;
  if (!isObject(given) || typeof given[Symbol.iterator] !== 'function') fail('transfer in Options cannot be converted to sequence.');
  const list = [...given];
  list.forEach((item, index) => { if (!isObject(item)) fail(`transfer in Options[${index}] is not an object.`); });
  const { bytes, buffers, objects } = serialize(value, list);
  const before = setObjects(objects.map((object) => require('internal/messaging').adopt(object[kClone](true))));
  try {
    return native.deserialize(bytes, buffers);
  } finally {
    setObjects(before);
  }
}

// Registers a kind of objects of the platform. `make` creates one from the value that stands for it.
function defineHostKind(make) { return HOST_VIEWS + makers.push(make) - 1; }

// The transferred objects of the value that is being deserialized.
let received = [];
const takeObjects = () => received;
function setObjects(objects) {
  const before = received;
  received = objects;
  return before;
}

module.exports = { cloneError, defineHostKind, kClone, serialize, setObjects, structuredClone, takeObjects };
