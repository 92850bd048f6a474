// util.types of values of many classes, also of those with other prototypes.
'use strict';
const util = require('util');
const { types } = util;
const { networkInterfaces } = require('os');

const proxy = (value) => new Proxy(value, {});
const values = {
  date: new Date(0),
  dateWithoutClass: Object.setPrototypeOf(new Date(0), Object.prototype),
  strictArguments: (function () { return arguments; })(1),
  sloppyArguments: new Function('return arguments')(1),
  error: new TypeError('x'),
  subclassOfError: new (class E extends Error {})(),
  objectLikeError: Object.create(Error.prototype),
  regExp: /x/,
  regExpPrototype: RegExp.prototype,
  asyncFunction: async () => {},
  asyncMethod: { async m() {} }.m,
  boundFunction: (async () => {}).bind(),
  generatorFunction: function* () {},
  generatorMethod: { *m() {} }.m,
  asyncGeneratorFunction: async function* () {},
  generator: (function* () {})(),
  asyncGenerator: (async function* () {})(),
  promise: Promise.resolve(),
  thenable: { then: 1 },
  map: new Map(),
  mapWithoutPrototype: Object.setPrototypeOf(new Map(), null),
  subclassOfMap: new (class M extends Map {})(),
  mapPrototype: Map.prototype,
  mapIterator: new Map().entries(),
  objectLikeMap: { [Symbol.toStringTag]: 'Map' },
  set: new Set(),
  setIterator: new Set().values(),
  arrayIterator: [][Symbol.iterator](),
  weakMap: new WeakMap(),
  weakSet: new WeakSet(),
  weakRef: new WeakRef({}),
  arrayBuffer: new ArrayBuffer(1),
  sharedArrayBuffer: new SharedArrayBuffer(1),
  dataView: new DataView(new ArrayBuffer(1)),
  buffer: Buffer.from('a'),
  clamped: new Uint8ClampedArray(1),
  doubles: new Float64Array(1),
  bigInts: new BigInt64Array(1),
  boxes: Object(1),
  boxedString: Object('s'),
  boxedBoolean: Object(false),
  boxedBigInt: Object(1n),
  boxedSymbol: Object(Symbol.iterator),
  numberPrototype: Number.prototype,
  booleanPrototype: Boolean.prototype,
  proxy: proxy({}),
  proxyOfMap: proxy(new Map()),
  proxyOfFunction: proxy(async () => {}),
  number: 1,
  null: null,
  undefined,
  text: 'a',
  symbol: Symbol.iterator,
  object: {},
  array: [],
};
for (const name in values) {
  console.log(name, Object.keys(types).filter((check) => types[check](values[name])).join());
}
console.log(Object.keys(types).sort().join());
console.log(networkInterfaces().lo);

// Boxed values with the prototype of another class are compared and cloned by what they contain.
const boxedAs = (value, { prototype }) => Object.setPrototypeOf(Object(value), prototype);
const odd = [boxedAs(true, String), boxedAs('true', Number), boxedAs(1, String), boxedAs(1n, Number), boxedAs('1', Object)];
for (const a of odd) console.log(odd.map((b) => util.isDeepStrictEqual(a, b)), util.isDeepStrictEqual(a, new String('true')));
for (const value of odd) console.log(util.inspect(structuredClone(value)));
const without = [new Date(0), new Map([[1, 2]]), new Set([1]), new Error('x')].map((value) => Object.setPrototypeOf(value, null));
for (const value of [...without, new Proxy({}, {}), new Proxy(new (class Foo {})(), {}), Promise.resolve()]) {
  try {
    console.log(String(util.inspect(structuredClone(value))).split('\n')[0]);
  } catch (err) {
    console.log(err.name, err.message);
  }
}
