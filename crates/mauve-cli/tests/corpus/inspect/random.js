// Random values, with a fixed seed: the layout of lines and columns.
const util = require('util');
let seed = 12345;
const random = (n) => { seed = (Math.imul(seed, 1103515245) + 12345) >>> 0; return (seed >>> 8) % n; };
const pick = (list) => list[random(list.length)];
const word = () => 'abcdefghijklmnop'.slice(random(8), 8 + random(9));
class Point { constructor(x, y) { this.x = x; this.y = y; } }
class Tagged { get [Symbol.toStringTag]() { return 'T'; } }
function value(depth) {
  const leaf = [
    () => random(100000), () => random(1000) / 8, () => -random(50), () => word(), () => `${word()}'${word()}`, () => word().repeat(random(12)), () => `${word()}\n${word()}`, () => true, () => null, () => undefined, () => BigInt(random(1000)), () => Symbol(word()), () => NaN, () => -0, () => new Date(random(1e9) * 1000), () => /x+/g, () => () => {}, () => class Foo {}, () => Object(random(10)), () => new Tagged(), () => new Uint8Array(random(12)), () => Buffer.from(word()), () => '\u4e2d\u6587', () => new Float64Array(random(9)).fill(1.5), () => Promise.resolve(1), () => new WeakMap(), () => '\u{1f600}', () => '\t\x00',
  ];
  const branch = [
    () => Array.from({ length: random(10) }, () => value(depth - 1)), () => Array.from({ length: random(40) }, () => random(10 ** (1 + random(6)))), () => Array.from({ length: random(30) }, word), () => Object.fromEntries(Array.from({ length: random(8) }, () => [pick([word(), `${word()}-x`, String(random(20))]), value(depth - 1)])), () => new Map(Array.from({ length: random(5) }, () => [value(depth - 2), value(depth - 1)])), () => new Set(Array.from({ length: random(6) }, () => value(depth - 1))), () => new Point(value(depth - 1), value(depth - 1)), () => Object.assign(Object.create(null), { [word()]: value(depth - 1) }), () => Object.assign([value(depth - 1)], { [word()]: 1 }), () => { const list = []; list[random(20)] = value(depth - 1); return list; }, () => Object.assign(() => {}, { prop: value(depth - 1) }), () => { const o = { a: value(depth - 1) }; o.self = pick([o, [o], new Map([[o, 1]])]); return o; },
  ];
  return depth > 0 && random(3) > 0 ? pick(branch)() : pick(leaf)();
}
const options = [undefined, { depth: 0 }, { depth: 4 }, { compact: false }, { compact: true }, { compact: 1 }, { breakLength: 120 }, { breakLength: 40 }, { sorted: true }, { maxArrayLength: 4 }, { maxStringLength: 6 }, { numericSeparator: true }, { colors: true }, { breakLength: Infinity }, { depth: null, compact: 5 }];
for (let i = 0; i < 600; i++) {
  const made = value(5);
  const chosen = pick(options);
  console.log(i, util.inspect(made, chosen));
}
