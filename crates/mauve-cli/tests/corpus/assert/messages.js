// The message of every failing assertion.
const assert = require('assert');
const long = (n, f = (i) => i) => Array.from({ length: n }, (_, i) => f(i));
const checks = {
  strictEqual: [[1, 2], ['a', 'b'], [1, '1'], [0, -0], [NaN, 1], [{}, {}], [[1], [1]], ['hello world', 'hello there'], ['a'.repeat(50), 'a'.repeat(49) + 'b'], ['a\nb\nc', 'a\nb\nd'], [null, undefined], [() => {}, () => {}], [1n, 2n], [Symbol('a'), Symbol('a')], [{ a: 1 }, { a: 2 }], ['short', 'longer string'], [123456789, 12345678]],
  deepStrictEqual: [[{ a: 1 }, { a: 2 }], [[1, 2, 3], [1, 2, 4]], [{ a: 1, b: { c: [1, 2] } }, { a: 1, b: { c: [1, 3] } }], [1, '1'], [{ a: 1 }, { a: '1' }], [new Set([1]), new Set([2])], [new Map([[1, { a: 1 }]]), new Map([[1, { a: 2 }]])], [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], [1, 2, 3, 4, 5, 6, 7, 8, 9, 11]], [long(30), long(30, (i) => (i === 15 ? 'x' : i))], [long(30), long(25)], [{}, []], [new Date(0), new Date(1)], [/a/, /b/g], [{ a: undefined }, {}], [-0, 0], [[NaN], [0]], [Object.create(null), {}], [long(100), long(100, (i) => i + 1)], [{ b: 1, a: 2 }, { a: 2, b: 3 }], [new Error('a'), new Error('b')], [[[[]]], [[[1]]]], ['x'.repeat(10), 'x'.repeat(11)], [{ k: 'a\nb' }, { k: 'a\nc' }], [long(12, (i) => ({ i })), long(12, (i) => ({ i: i === 6 ? -1 : i }))], [[1, 2], [1, 2, 3]], [[1, 2, 3], [1, 2]]].filter(([a]) => !(a instanceof Error)),
  deepEqual: [[{ a: 1 }, { a: 2 }], [[1, [2]], [1, [3]]], [1, 2], ['a', 'b'], [new Set([1, 2]), new Set([1, 3])], [{ a: 'x'.repeat(600) }, {}]],
  equal: [[1, 2], ['a', 'b'], [null, 0], [{}, {}], [NaN, 1], ['x'.repeat(600), 'y']],
  notEqual: [[1, 1], [1, '1'], ['a', 'a'], [NaN, NaN]],
  notStrictEqual: [[1, 1], ['a long string here', 'a long string here'], [NaN, NaN]],
  notDeepEqual: [[{ a: 1 }, { a: '1' }], [[1], [1]], [1, '1']],
  notDeepStrictEqual: [[{ a: 1 }, { a: 1 }], [[1, 2], [1, 2]], [1, 1], ['abcdefgh', 'abcdefgh'], [long(60), long(60)]],
};
function show(label, action) {
  try {
    const result = action();
    console.log(label, 'passed', result);
  } catch (error) {
    console.log(label, error.name, error.code, error.generatedMessage, error.operator, JSON.stringify(Object.keys(error)));
    console.log(error.message);
    console.log(String(error) === `AssertionError [ERR_ASSERTION]: ${error.message}`, error.stack?.startsWith(String(error)));
  }
}
for (const [name, pairs] of Object.entries(checks)) {
  pairs.forEach(([a, b], i) => {
    show(`${name} ${i}`, () => assert[name](a, b));
    show(`${name} ${i} message`, () => assert[name](a, b, 'own message'));
  });
  show(name, () => assert[name](1));
  show(name, () => assert[name](checks[name][0][0], checks[name][0][1], new RangeError('own error')));
}
const same = {};
show('reference', () => assert.notStrictEqual(same, same));
show('identical', () => assert.strictEqual([1, 2], [1, 2]));
const thrower = (error) => () => { throw error; };
const cases = [
  () => assert.throws(() => {}), () => assert.throws(() => {}, TypeError), () => assert.throws(() => {}, 'text'), () => assert.throws(() => {}, TypeError, 'text'),
  () => assert.throws(thrower(new Error('boom')), /nope/), () => assert.throws(thrower(new Error('boom')), /boom/), () => assert.throws(thrower(new Error('boom')), TypeError),
  () => assert.throws(thrower(new TypeError('boom')), TypeError), () => assert.throws(thrower(new Error('boom')), { message: 'bang' }), () => assert.throws(thrower(new Error('boom')), { message: /bo+m/, name: 'Error' }),
  () => assert.throws(thrower(new Error('boom')), { message: /bang/, code: 5 }), () => assert.throws(thrower(new Error('boom')), new Error('bang')), () => assert.throws(thrower(new Error('boom')), () => false),
  () => assert.throws(thrower(new Error('boom')), function check() { return true; }), () => assert.throws(thrower(new Error('boom')), {}), () => assert.throws(thrower(new Error('boom')), 'boom'), () => assert.throws(thrower(new Error('boom')), 'other'),
  () => assert.throws(thrower('text'), { a: 1 }), () => assert.throws(thrower('text'), /text/), () => assert.throws(thrower(null)), () => assert.throws(5), () => assert.throws(() => {}, 5), () => assert.throws(thrower(new Error('x')), 'a', 'b'),
  () => assert.doesNotThrow(thrower(new Error('boom'))), () => assert.doesNotThrow(thrower(new Error('boom')), 'text'), () => assert.doesNotThrow(thrower(new Error('boom')), Error, 'text'), () => assert.doesNotThrow(thrower(new Error('boom')), TypeError), () => assert.doesNotThrow(() => {}),
  () => assert.ifError(null), () => assert.ifError(undefined), () => assert.ifError(new Error('bad')), () => assert.ifError('text'), () => assert.ifError(0), () => assert.ifError(new Error('')),
  () => assert.match('abc', /x/), () => assert.match('abc', /b/), () => assert.match(5, /b/), () => assert.match('a', 'b'), () => assert.doesNotMatch('abc', /b/), () => assert.match('abc', /x/, 'own'), () => assert.match('abc', /x/, new TypeError('own')),
  () => assert.fail(), () => assert.fail('reason'), () => assert.fail(new TypeError('reason')), () => assert.ok(0, 'zero'), () => assert(null, new TypeError('given')), () => assert.ok(), () => assert(1), () => assert.strict.equal(1, '1'), () => assert.strict.deepEqual([1], ['1']),
  () => new assert.AssertionError({ actual: 1, expected: 2, operator: 'strictEqual' }).message, () => new assert.AssertionError({ message: 'm' }).operator, () => new assert.AssertionError(),
];
cases.forEach((action, i) => show(action.toString(), action));
for (const [a, b] of [[1, '1'], [[1], ['1']], [{ a: 1 }, { a: 1, b: undefined }], [new Set([1, '1']), new Set(['1', 1])], [new Set([{ a: 1 }]), new Set([{ a: 1 }])], [new Map([['a', { b: 1 }]]), new Map([['a', { b: 1 }]])], [new Map([[1, 2]]), new Map([['1', 2]])], [[, 1], [undefined, 1]], [new Date(5), new Date(5)], [/a/g, /a/g], [Object(1), Object(1)], [Object(1), 1], [new Uint8Array([1]), new Uint8Array([1])], [new Uint8Array([1]), Buffer.from([1])], [NaN, NaN], [0, -0], [null, undefined], [Object.create(null), {}], [new (class A {})(), {}], [{ [Symbol.for('s')]: 1 }, { [Symbol.for('s')]: 2 }], [new Error('x'), new Error('x')], [new Error('x'), new TypeError('x')], [() => {}, () => {}], [[1, 2, [3]], [1, 2, [3]]], ['a', Object('a')], [new Set([1, 2]), new Set([1])], [{ a: { b: { c: 1 } } }, { a: { b: { c: 1 } } }], [[], {}], [Promise.resolve(1), Promise.resolve(1)], [new WeakMap(), new WeakMap()], [new WeakSet(), {}], [Object.assign([1], { x: 1 }), [1]], [[1, , 3], [1, , 3]], [new Map([[{ a: 1 }, 'x']]), new Map([[{ a: 1 }, 'y']])], [new Map([[{}, 1], [{}, 2]]), new Map([[{}, 2], [{}, 1]])], [new Set([[1], [1]]), new Set([[1], [2]])], [Object.assign(() => {}, { a: 1 }), Object.assign(() => {}, { a: 1 })], [new ArrayBuffer(2), new ArrayBuffer(3)], [new Float32Array([0]), new Float32Array([-0])]]) {
  const holds = (name) => { try { assert[name](a, b); return true; } catch { return false; } };
  const text = (value) => (value instanceof Error ? value.message : value);
  console.log(text(a), text(b), holds('deepEqual'), holds('deepStrictEqual'), holds('notDeepEqual'), holds('notDeepStrictEqual'), holds('equal'));
}
const cycle = { a: 1 }; cycle.self = cycle;
const cycle2 = { a: 1 }; cycle2.self = cycle2;
show('cycles', () => assert.deepStrictEqual(cycle, cycle2));
(async () => {
  const attempts = [() => assert.rejects(Promise.resolve(1)), () => assert.rejects(Promise.reject(new Error('no')), /yes/), () => assert.rejects(async () => { throw new TypeError('t'); }, TypeError), () => assert.rejects(5), () => assert.rejects(() => 5), () => assert.doesNotReject(Promise.reject(new Error('no'))), () => assert.doesNotReject(Promise.resolve(1))];
  for (const attempt of attempts) {
    try {
      console.log('resolved', await attempt());
    } catch (error) {
      console.log(error.name, error.code, error.operator, error.message);
    }
  }
})();
