// v8.serialize writes the bytes of Node, and v8.deserialize reads them.
const v8 = require('v8');
const sparse = new Array(5000);
sparse[10] = 1;
const cycle = { list: [] };
cycle.list.push(cycle, cycle.list);
const errors = [new TypeError('x', { cause: 5 }), new Error('y'), Object.assign(new Error('named'), { name: 'RangeError' })];
for (const error of errors) error.stack = 'the stack';
const values = [1, -1, 0, -0, 1.5, 2 ** 31, -(2 ** 31), NaN, 'abc', 'é', '€x', '\ud800', '', true, false, null, undefined, 1n, -1n,
  0n, 2n ** 64n, { a: 1, b: [1, 2, 3] }, [1, , 3], [], {}, new Date(5), /a(b)/gi, /x/dysm, /x/v, new Map([[1, 2], ['a', {}]]),
  new Set([1, 'x']), Buffer.from('hi'), new Uint16Array([1, 2]), new ArrayBuffer(3), Object(1), Object('s'), Object(true),
  Object(5n), { 5: 1, x: 2, '-1': 3 }, Object.assign([1, 2], { foo: 1 }), new Float64Array(1), new BigInt64Array(1), cycle,
  ...errors, sparse.slice(0, 20), 'x'.repeat(200), { ['__proto__']: 1 }];
for (const value of values) {
  const bytes = v8.serialize(value);
  console.log(Buffer.isBuffer(bytes), bytes.toString('hex'), v8.deserialize(bytes));
}
console.log(v8.serialize(sparse).length, v8.deserialize(v8.serialize(sparse)).length);
console.log(v8.deserialize(v8.serialize(new DataView(new ArrayBuffer(4)))).byteLength);
for (const work of [() => v8.deserialize('x'), () => v8.serialize(() => {}), () => v8.serialize([Symbol('a')]),
  ...['78', 'ff0f', 'ff0fc8', '', 'ff0f22ff', 'ff0f5e05', 'ff0f6f'].map((hex) => () => v8.deserialize(Buffer.from(hex, 'hex')))]) {
  try {
    console.log(work());
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}
