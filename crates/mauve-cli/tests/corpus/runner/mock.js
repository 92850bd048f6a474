// The mocks of node:test.
const { mock } = require('node:test');
const f = mock.fn((a, b) => a + b);
console.log(f(1, 2), f.mock.callCount(), f.mock.calls[0].arguments, f.mock.calls[0].result, Object.keys(f.mock.calls[0]), f.mock.calls[0].stack instanceof Error);
console.log(f.name, f.length, mock.fn().name);
f.mock.mockImplementationOnce(() => 'once'); f.mock.mockImplementationOnce(() => 'at 4', 4);
console.log(f(1, 1), f(1, 1), f(1, 1), f(1, 1), f.mock.callCount());
f.mock.mockImplementation(() => 'new'); console.log(f()); f.mock.restore(); console.log(f(2, 3)); f.mock.resetCalls(); console.log(f.mock.calls);
const o = { x: 1, m(a) { return this.x + a; }, get g() { return 5; }, set g(v) { this.x = v; } };
const m = mock.method(o, 'm'); console.log(o.m(1), m === o.m, o.m.mock.calls[0].this === o); o.m.mock.restore(); console.log(o.m.mock, Object.keys(o));
mock.method(o, 'm', () => 'impl', { times: 1 }); console.log(o.m(1), o.m(1), o.m(1));
mock.getter(o, 'g', () => 7); console.log(o.g); mock.reset(); console.log(o.g);
mock.setter(o, 'g', (v) => {}); o.g = 3; console.log(o.x); mock.restoreAll(); o.g = 4; console.log(o.x);
const t = (f) => { try { f(); } catch (e) { console.log(e.name, e.code, e.message); } };
t(() => mock.method(o, 'zz')); t(() => mock.fn(1)); t(() => mock.fn(() => {}, {}, { times: -1 })); t(() => mock.method(o, 'x')); t(() => mock.method(null, 'a'));
class C { constructor(a) { this.a = a; } static s() { return 's'; } }
const D = mock.fn(C); const d = new D(4); console.log(d.a, d instanceof C, D.mock.calls[0].target === D, D.mock.calls[0].result === d);
const thrower = mock.fn(() => { throw new Error('z'); }); t(thrower); console.log(thrower.mock.calls[0].error.message);
