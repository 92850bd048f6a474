// Paths of random pieces, in both styles.
const path = require('path');

let seed = 1;
function random(limit) {
  seed = (seed * 1103515245 + 12345) % 2147483648;
  return Math.floor(seed / 2147483648 * limit);
}
const PIECES = ['a', 'b.c', '..', '.', '/', '//', '\\', '\\\\', 'é', '\ud800', '.x', 'x.', 'server', '', ' '];
const piece = (count) => Array.from({ length: 1 + random(count) }, () => PIECES[random(PIECES.length)]).join('');

function show(...args) {
  const [style, method, ...rest] = args;
  console.log(JSON.stringify([method, ...rest, path[style][method](...rest)]));
}
for (let i = 0; i < 300; i++) {
  const [a, b, c] = [piece(6), piece(6), piece(3)];
  for (const method of ['normalize', 'isAbsolute', 'dirname', 'basename', 'extname', 'parse', 'toNamespacedPath']) {
    show('posix', method, a);
    show('win32', method, random(3) === 0 ? `C:${a}` : a);
  }
  show('posix', 'join', a, b, c);
  show('win32', 'join', a, b, c);
  show('posix', 'resolve', '/', a, b, c);
  show('win32', 'resolve', 'C:\\', a, b, c);
  show('posix', 'relative', `/${a}`, `/${b}`);
  show('win32', 'relative', `C:\\x${a}`, `c:\\X${b}`);
}
for (const args of [[1], [undefined, '/a'], ['a', null]]) {
  for (const style of ['posix', 'win32']) {
    try {
      console.log(path[style].resolve(...args));
    } catch (error) {
      console.log(error.code, error.message);
    }
  }
}
