// The expression in the message of a call that fails.
const t = (f) => { try { f(); } catch (e) { console.log(`${e.name}: ${e.message}`); } };
const s = {};
t(() => s.dig(String(1)));
t(() => s['x'](Number('1'), 2));
t(() => s.dig(s.toString()));
t(() => s?.dig(String(1)));
t(() => (0, s.dig)(String(1)));
t(() => new s.Foo(String(1)));
t(() => s.dig(Math.max(1, 2), 3));
t(() => s.dig(() => { return String(1); }));
t(() => { for (const x of 5); });
t(() => { for (const x of s.none); });
t(() => s.toString().foo(String(2)));
t(() => s[Symbol.iterator](String(1)));
t(() => s[0](String(1)));
t(() => [].foo(String(1)));
t(() => 'text'.foo(String(1)));
t(() => `${s.dig(`${1}`)}`);
t(() => { const fn = 1; fn(String(1)); });
t(() => s.toString(
  1,
).foo(
  String(1),
));
t(() => s.dig`x${String(1)}`);
t(() => s.dig(...[1, 2]));
class A { #p = 1; static call(a) { a.#p(String(1)); } }
t(() => A.call(new A()));
