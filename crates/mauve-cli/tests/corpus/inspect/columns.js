// Arrays in columns: widths, alignment, colours, limits.
const { inspect } = require('util');
const KINDS = [
  (i) => i, (i) => i * 1000, (i) => 'x'.repeat(i % 9), (i) => `é${i}日本`, (i) => ({ i }), (i) => (i % 3 ? i : 'a'), (i) => -i / 7,
  (i) => BigInt(i) ** 5n, (i) => '😀'.repeat(i % 3),
];
const OPTIONS = [
  {}, { colors: true }, { compact: 1 }, { compact: 6, breakLength: 120 }, { breakLength: Infinity }, { breakLength: 40 }, { maxArrayLength: 3 },
];
for (const length of [5, 7, 27, 101]) {
  for (const kind of KINDS) {
    const list = Array.from({ length }, (_, i) => kind(i));
    for (const options of OPTIONS) console.log(inspect(list, options), inspect({ a: { b: list } }, options), inspect(new Set(list), options));
  }
}
