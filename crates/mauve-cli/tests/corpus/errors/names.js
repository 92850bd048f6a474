// The names of values in "is not a function" errors.
const t = (f) => { try { f(); } catch (e) { console.log(e.name, e.message); } };
const q = { a: {} }; let u;
t(() => q.foo());
t(() => q.a.bar(1, 2));
t(() => u());
t(() => new u());
t(() => new q.a.Thing(5));
t(() => q.foo().bar());
t(() => { for (const x of q) ; });
t(() => { const [a] = [1]; a(); });
t(() => JSON.parse('abc'));
t(() => JSON.parse('{"a": 1, "b": nope, "c": 12345678901234567890}'));
t(() => JSON.parse('[1, 2'));
t(() => JSON.parse('{"a":'));
t(() => JSON.parse(''));
t(() => JSON.parse('[1,]x'));
t(() => JSON.parse(undefined));
console.log(JSON.parse('{"x":[1,{"y":null}]}', (k, v) => (k === 'y' ? 'seen' : v)));
