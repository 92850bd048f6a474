// util.inspect with every option.
const util = require('util');
const show = (value, options) => console.log(util.inspect(value, options));
const deep = { a: { b: { c: { d: { e: 1 } } } }, list: [[[[[1]]]]], map: new Map([[{ k: 1 }, { v: { w: { x: 1 } } }]]), set: new Set([[1, [2, [3]]]]) };
for (const depth of [-1, 0, 1, 2, 5, null, Infinity]) show(deep, { depth });
for (const compact of [true, false, 0, 1, 2, 3, 10]) { show(deep, { compact }); show([1, 2, { a: 1, b: [1, 2, 3] }], { compact }); show({ f() {}, e: Object.assign(new Error('x'), { stack: 'Error: x' }), r: Object.assign(/x/, { p: 1 }) }, { compact }); }
for (const breakLength of [10, 40, 80, 120, Infinity]) show({ name: 'something', values: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], nested: { key: 'a longer value than before', other: true } }, { breakLength });
for (const maxArrayLength of [0, 1, 3, null, Infinity]) { show([1, 2, 3, 4, 5], { maxArrayLength }); show(new Set([1, 2, 3, 4]), { maxArrayLength }); show(new Map([[1, 2], [3, 4]]), { maxArrayLength }); show(new Uint8Array(5), { maxArrayLength }); show([, , 1, , 2], { maxArrayLength }); }
for (const maxStringLength of [0, 1, 5, null]) { show('hello world', { maxStringLength }); show(['hello world', { a: 'long string' }], { maxStringLength }); }
for (const sorted of [true, false, (a, b) => (a < b ? 1 : -1)]) show({ c: 1, a: 2, b: { z: 1, y: 2 }, m: new Map([['q', 1], ['p', 2]]), s: new Set(['b', 'a']), arr: Object.assign([3, 1], { z: 1, y: 1 }) }, { sorted });
const accessors = { get a() { return { x: 1 }; }, set a(v) {}, get b() { return 5; }, set c(v) {}, get d() { throw Object.assign(new Error('oops'), { stack: 'Error: oops\n    at file:1:1' }); }, get e() { return null; }, get f() { return 'str'; } };
for (const getters of [true, false, 'get', 'set']) show(accessors, { getters });
for (const numericSeparator of [true, false]) show([1, 12, 123, 1234, 12345, 1234567, -1234567, 1234.5678, 0.1234567, 1e21, NaN, Infinity, -0, 123456789n, -12345n, new Uint32Array([1234567])], { numericSeparator });
class Base { constructor() { this.own = 1; } get accessor() { return 1; } method() {} }
class Derived extends Base { static stat = 1; get other() { return 2; } }
Base.prototype.data = 5;
for (const showHidden of [true, false]) { show(new Derived(), { showHidden }); show([1, 2], { showHidden }); show(new Map([[1, 2]]), { showHidden }); show(Object.defineProperty({ v: 1 }, 'hidden', { value: { a: 1 } }), { showHidden }); show(new Date(0), { showHidden }); show(Object(Symbol('x')), { showHidden }); show(new Uint8Array(1), { showHidden }); show(new Set(), { showHidden }); show([], { showHidden }); show({}, { showHidden }); show(Symbol('a'), { showHidden }); show('s', { showHidden }); show(Promise.resolve(3), { showHidden }); show(new ArrayBuffer(1), { showHidden }); show(new WeakSet(), { showHidden: false }); }
for (const showProxy of [true, false, 1]) { show(new Proxy({ a: 1 }, { get: () => 5 }), { showProxy }); show([new Proxy({ x: { y: { z: 1 } } }, {})], { showProxy, depth: 0 }); }
const revoked = Proxy.revocable({}, {}); revoked.revoke(); show(revoked.proxy); show([revoked.proxy], { showProxy: true });
const colours = { n: 1, s: 'str', b: true, u: undefined, nl: null, sy: Symbol('s'), bi: 1n, d: new Date(0), r: /x/g, f() {}, c: class A {}, arr: [1, 'a', , 3], get g() { return 1; }, m: new Map([['k', 1]]), p: Promise.resolve(1), 'quoted-key': 1, [Symbol('key')]: 2, nested: { deep: { er: { more: 1 } } }, ab: new ArrayBuffer(2), box: Object('s'), w: new WeakMap() };
colours.circular = colours;
console.log(JSON.stringify(util.inspect(colours, { colors: true })));
console.log(JSON.stringify(util.inspect(Array.from({ length: 30 }, (_, i) => i), { colors: true })));
const custom = { [util.inspect.custom](depth, options, inspect) { return `custom ${depth} ${Object.keys(options).sort().join()} ${inspect === util.inspect}`; } };
show(custom); show({ a: { custom } }); show(custom, { customInspect: false }); show([custom], { depth: 5, extra: 1 });
show({ [util.inspect.custom]() { return { replaced: true }; } }); show({ [util.inspect.custom]() { return 5; } }); show({ [util.inspect.custom]() { return null; } }); show({ [util.inspect.custom]() { return this; }, a: 1 }); show({ nested: { [util.inspect.custom](depth, options) { return options.stylize('styled', 'special'); } } }, { colors: true }); show({ a: { [util.inspect.custom]() { return 'line1\nline2'; } } });
show({ inspect() { return 'not used'; } }); show(class { static [util.inspect.custom]() { return 'static'; } });
show('a', true); console.log(util.inspect({ a: { b: { c: {} } } }, false, 0), util.inspect({ a: { b: { c: {} } } }, true, 1, false));
util.inspect.defaultOptions.depth = 0; show({ a: { b: 1 } }); util.inspect.defaultOptions = { depth: 2 };
try { util.inspect.defaultOptions = null; } catch (error) { console.log(error.code, error.message); }
show(Object.create({ constructor: { name: 'Fake' } })); show(Object.create({}, { constructor: { value: null } })); show(new (class extends (class Foo {}) {})()); show(Object.setPrototypeOf(new Map([[1, 2]]), null)); show(Object.setPrototypeOf([1, 2], null)); show(Object.setPrototypeOf(new Date(0), null)); show(Object.setPrototypeOf(/x/, null)); show(Object.setPrototypeOf(function f() {}, null)); show(Object.setPrototypeOf(new Set([1]), null)); show(Object.setPrototypeOf(Object(1), null)); show(Object.setPrototypeOf(new Uint8Array(2), null)); show(Object.assign(Object.setPrototypeOf(new Error('np'), null), { stack: 'Error: np' }));
show({ [Symbol.toStringTag]: 'own' }); show(Object.create({}, { [Symbol.toStringTag]: { value: 'hidden' } })); show(new (class Foo { get [Symbol.toStringTag]() { return 'Bar'; } })()); show(new (class Foo extends Map { get [Symbol.toStringTag]() { return 'Tagged'; } })([[1, 2]])); show(Math); show(JSON); show(Reflect); show(globalThis === undefined); show(Atomics); show((function* gen() {})()); show((async function* () {})()); show(function* () {}.constructor);
show({ __proto__: null, a: 1 }); show({ ['__proto__']: 1 }); show({ 'a b': 1, 1: 2, 'ü': 3, $: 4, a1: 5, '1a': 6, '': 7, "it's": 8, '\n': 9 }); show(new (class { #private = 1; pub = 2; })());
show([1, [2, [3, [4, [5]]]]]); show({ a: [{ b: { c: [{}] } }] }); show([[[]]], { depth: 0 }); show([{}], { depth: -1 }); show([new Error('x').message]); show(Array(3)); show([undefined, , null]); show(Object.assign([], { a: 1 })); show(Object.assign(Array(2), { '-1': 1, 5.5: 2 }));
show('x'.repeat(200)); show(['x'.repeat(200)]); show({ a: `line one of some text\nline two of some text\nline three ${'z'.repeat(60)}` }); show('multi\nline'); show(['multi\nline that is long enough to be split over several lines when printed\nend']);
