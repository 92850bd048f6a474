// import.meta.resolve() of files that exist and of those that do not.
const directory = import.meta.url.replace(/[^/]*$/, '');
for (const name of [
  './none.js', './fixtures', './a?b#c', 'fs', 'node:fs', 'node:none', 'no-package', 'file:///none', 'data:text/javascript,1',
  '/none', '#none', 'http://host/path',
]) {
  try {
    console.log(name, import.meta.resolve(name).replace(directory, ''));
  } catch (err) {
    console.log(name, err.code);
  }
}
