// structuredClone: copies, shared references, errors.
const original = { n: 1, s: 'x', u: undefined, nul: null, big: 5n, d: new Date(0), r: /a/gi, m: new Map([[{ k: 1 }, new Set([1, 'a'])]]), arr: [1, , 3], nested: { deep: { er: [] } }, buf: new Uint8Array([1, 2, 3]), f: new Float64Array([1.5]), box: Object(1), sbox: Object('s'), nan: NaN, neg: -0 };
original.self = original;
const copy = structuredClone(original);
console.log(copy, copy !== original, copy.self === copy, copy.d !== original.d, copy.buf.buffer !== original.buf.buffer, 1 in copy.arr);
class Point { constructor() { this.x = 1; } get y() { return 2; } }
console.log(structuredClone(new Point()), structuredClone(new Point()) instanceof Point, structuredClone(Object.create({ inherited: 1 }, { own: { value: 1, enumerable: true }, hidden: { value: 2 } })));
for (const error of [new Error('e'), new TypeError('t'), new RangeError('r', { cause: { c: 1 } }), Object.assign(new Error('named'), { name: 'Custom', extra: 1 })]) {
  const cloned = structuredClone(error);
  console.log(cloned.name, cloned.message, cloned.cause, cloned instanceof Error, cloned.constructor.name, Object.keys(cloned), cloned.stack === error.stack);
}
for (const bad of [() => {}, function named() {}, Symbol('s'), { f() {} }, [Symbol('in')], Promise.resolve(1), new WeakMap(), new WeakSet(), { deep: { fn: class A {} } }]) {
  try { console.log(structuredClone(bad)); } catch (error) { console.log(error.name, error.code, error.message, error instanceof DOMException); }
}
const buffer = new ArrayBuffer(4);
new Uint8Array(buffer)[0] = 9;
const moved = structuredClone({ buffer, view: new Uint8Array(buffer) }, { transfer: [buffer] });
console.log(moved, buffer.byteLength, moved.view.buffer === moved.buffer);
try { structuredClone(); } catch (error) { console.log(error.name, error.code, error.message); }
const shared = { x: 1 };
const both = structuredClone([shared, shared]);
console.log(both, both[0] === both[1], structuredClone('s'), structuredClone(null), structuredClone(undefined), Object.is(structuredClone(-0), -0));
console.log(structuredClone(new Uint8Array([1, 2, 3, 4]).subarray(1, 3)), structuredClone(new DataView(new ArrayBuffer(2))), structuredClone(Buffer.from('hi')));
for (const item of [1, {}, null, new Uint8Array(1), 'a', new SharedArrayBuffer(1), undefined, () => {}]) {
  try { structuredClone(1, { transfer: [item] }); } catch (error) { console.log(error.name, error.code, error.message); }
}
