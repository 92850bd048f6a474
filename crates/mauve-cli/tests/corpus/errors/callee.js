// "x is not a function" names x, for calls with and without arguments.
const o = { a: { b: 1 } }; let u; const arr = [1]; const [x, y] = [5, 6];
const report = (call) => { try { call(); } catch (error) { console.log(error.name, error.message); } };
report(() => u());
report(() => u(x));
report(() => u(x, y + 1));
report(() => o.a.b(x, y));
report(() => o.zip());
report(() => o['zip']());
report(() => o[x](y));
report(() => arr[0](1));
report(() => new u());
report(() => new u(x));
report(() => new o.a(x, y));
report(() => o.a.b(o.zip(x)));
report(() => o.a?.zip(x));
report(() => o.f1().f2());
report(() => JSON.zip('a(b)', x));
report(() => o.a.b(
  x,
  { y },
  y));
report(() => this.nope(1));
report(() => { class A { constructor() { this.q(x); } } new A(); });
report(() => { class Named {} Named(); });
report(() => [...x]);
report(() => { class P { #secret = 1; static read(p) { return p.#secret; } } P.read({}); });
