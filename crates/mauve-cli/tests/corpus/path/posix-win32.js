// path.posix and path.win32 with many paths.
const path = require('path');
const pieces = ['', '.', '..', '/', '//', '///', '\\', '\\\\', 'a', 'a/', '/a', '//a', 'a/b', 'a//b/', '/a/b/..', '../a', '../../b', './a/./b', 'a/../..', '/..', '/../a', 'a.txt', '.bashrc', 'a.b.c', 'a.', '..a', 'a..', '/a.b/c', 'a/.b', 'C:', 'C:\\', 'C:/', 'C:a', 'C:\\a', 'c:/a/b/../c', 'C:..\\a', 'C:\\..\\a', '\\\\server\\share', '\\\\server\\share\\', '\\\\server\\share\\a\\b', '//server/share/x/../y', '\\\\server', '\\\\server\\', '\\a\\b', 'a\\b\\..\\c', 'D:\\x', 'a:b', './c:/x', 'x/C:', '\\\\?\\C:\\x', '\\\\.\\pipe\\p', 'a/b\\c.ext'];
const show = (value) => JSON.stringify(value);
process.chdir('/');
for (const name of ['posix', 'win32']) {
  const p = path[name];
  console.log(name, p.sep, p.delimiter);
  for (const one of pieces) {
    console.log(show(one), show(p.normalize(one)), show(p.dirname(one)), show(p.basename(one)), show(p.extname(one)), p.isAbsolute(one), show(p.parse(one)), show(p.format(p.parse(one))), show(p.basename(one, '.txt')), show(p.toNamespacedPath(one)));
    for (const other of pieces) {
      console.log(show(one), show(other), show(p.join(one, other)), name === 'posix' || /^[a-zA-Z]:[\\/]|^[\\/]{2}\w/.test(one) ? show(p.resolve(one, other)) : '', name === 'posix' ? show(p.relative(one, other)) : '');
    }
  }
}
for (const [from, to] of [['C:\\a\\b', 'C:\\a\\c'], ['C:\\a', 'D:\\a'], ['c:\\A', 'C:\\a\\b'], ['C:\\', 'C:\\x'], ['C:\\a\\b', 'C:\\'], ['\\\\s\\h\\a', '\\\\s\\h\\b'], ['C:\\foo\\bar', 'C:\\foo\\barbaz']]) console.log(from, to, path.win32.relative(from, to));
for (const action of [() => path.join(1), () => path.resolve('a', {}), () => path.basename('a', 5), () => path.format(null), () => path.format('x'), () => path.parse(), () => path.dirname(null), () => path.relative('a'), () => path.isAbsolute(undefined), () => path.normalize(Symbol('s'))]) {
  try {
    console.log(action());
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}
console.log(path.join(), path.resolve(), path.posix === path, path.win32.win32 === path.win32, path.format({ dir: '/x', name: 'n', ext: 'e' }), path.format({ root: '/', base: 'b' }), path.basename('a.html', '.html'), path.basename('.html', '.html'), Object.keys(path).filter((key) => key !== 'matchesGlob').sort().join());
