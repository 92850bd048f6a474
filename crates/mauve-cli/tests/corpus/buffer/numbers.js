// Reading and writing numbers: values, offsets and widths that are valid, and others.
'use strict';
const bytes = Buffer.from(Array.from({ length: 20 }, (_, i) => i * 37));

const READ = [[], [1], [16], [19], [-1], [1.5], ['1'], [NaN], [0, 3], [2, 6], [2, 7], [undefined, 2], [18, 2], [Infinity]];
const WRITE = [
  [1], [1, 2], [-1, 0], [127.9], [200], [70000, 1], [NaN, 0], ['12', 3], [1n, 4], [-1n], [2n ** 64n], [1.5, 18],
  [Infinity, 0], [5, 1, 3], [-5, 1, 6], [5, 1, 7], [2 ** 40, 0, 6], [undefined, 0, 2], [null], [{}],
];

const names = Object.getOwnPropertyNames(Buffer.prototype).filter((name) => /^(read|write)\w/.test(name)).sort();
for (const name of names) {
  console.log(name, Buffer.prototype[name].length);
  for (const args of name.startsWith('read') ? READ : WRITE) {
    const copy = Buffer.from(bytes);
    try {
      console.log(args, copy[name](...args), copy.equals(bytes) ? '' : copy.toString('hex'));
    } catch (err) {
      console.log(args, err.name, err.code, err.message);
    }
  }
}
