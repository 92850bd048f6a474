// path.posix.

const { validateString } = require('internal/validators');
const common = require('internal/path/common');

const SLASH = 47;
const isSeparator = (code) => code === SLASH;

const posix = {
  resolve(...paths) {
    let isAbsolute = false;
    let first = paths.length;
    while (first > 0 && !isAbsolute) {
      first -= 1;
      validateString(paths[first], `paths[${first}]`);
      isAbsolute = paths[first].charCodeAt(0) === SLASH;
    }
    const used = paths.slice(first);
    if (!isAbsolute) {
      const directory = process.cwd();
      validateString(directory, 'paths[-1]');
      used.unshift(directory);
      isAbsolute = directory.charCodeAt(0) === SLASH;
    }
    const resolved = common.resolveSegments(used.join('/').split('/'), isAbsolute).join('/');
    return isAbsolute ? `/${resolved}` : resolved || '.';
  },

  normalize(path) {
    validateString(path, 'path');
    const root = path.startsWith('/') ? '/' : '';
    const end = path.endsWith('/') ? '/' : '';
    const names = common.resolveSegments(path.split('/'), root !== '').join('/');
    if (names !== '') return `${root}${names}${end}`;
    return root || `.${end}`;
  },

  isAbsolute(path) {
    validateString(path, 'path');
    return path.startsWith('/');
  },

  join(...parts) {
    for (const part of parts) validateString(part, 'path');
    const joined = parts.filter(Boolean).join('/');
    return joined === '' ? '.' : posix.normalize(joined);
  },

  relative(from, to) {
    common.checkStrings({ from, to });
    if (from === to) return '';
    const [source, target] = [from, to].map((path) => posix.resolve(path).split('/').filter(Boolean));
    return common.relativeSegments(source, target, String).segments.join('/');
  },

  toNamespacedPath: (path) => path,

  dirname(path) {
    validateString(path, 'path');
    if (path === '') return '.';
    const { from } = common.lastName(path, 0, isSeparator);
    if (from === 0) return path.charCodeAt(0) === SLASH ? '/' : '.';
    if (from === 1) return '/';
    // "//name" is in "//", not in "/".
    return from === 2 && path.charCodeAt(0) === SLASH ? '//' : path.slice(0, from - 1);
  },

  basename(path, suffix) {
    common.checkSuffix(suffix);
    validateString(path, 'path');
    if (suffix === path) return '';
    const { from, end } = common.lastName(path, 0, isSeparator);
    return common.stripSuffix(path.slice(from, end), suffix);
  },

  extname(path) {
    validateString(path, 'path');
    return common.extensionOf(posix.basename(path));
  },

  format(object) {
    return common.format('/', object);
  },

  parse(path) {
    validateString(path, 'path');
    const root = path.charCodeAt(0) === SLASH ? '/' : '';
    const { from, end } = common.lastName(path, 0, isSeparator);
    const base = path.slice(from, end);
    // Node takes the second dot of "/.." for an extension.
    const ext = base === '..' && from === 1 ? '.' : common.extensionOf(base);
    const name = ext === '' ? base : base.slice(0, -ext.length);
    // The directory is not normalized; it ends before the slash of the base name.
    let dir = from > 0 ? path.slice(0, from - 1) : '';
    if (dir === '' && root !== '') dir = root;
    return { root, dir: base === '' ? root : dir, base, ext, name };
  },

  sep: '/',
  delimiter: ':',
  win32: null,
  posix: null,
};

Object.defineProperty(posix, '_makeLong', { value: posix.toNamespacedPath, writable: true, enumerable: true, configurable: true });

module.exports = posix;
