// Paths with slashes.

const { validateString } = require('internal/validators');
const common = require('internal/path_common');

const SLASH = 47;
const isSeparator = (code) => code === SLASH;

const posix = {
  resolve(...parts) {
    let whole = '';
    let isAbsolute = false;
    for (let i = parts.length - 1; i >= -1 && !isAbsolute; i--) {
      const part = i >= 0 ? parts[i] : process.cwd();
      validateString(part, `paths[${i}]`);
      if (part.length === 0) continue;
      whole = `${part}/${whole}`;
      isAbsolute = part.charCodeAt(0) === SLASH;
    }
    const path = common.resolveSegments(whole.split('/'), isAbsolute).join('/');
    if (isAbsolute) return `/${path}`;
    return path.length > 0 ? path : '.';
  },

  normalize(path) {
    validateString(path, 'path');
    if (path.length === 0) return '.';
    const isAbsolute = path.charCodeAt(0) === SLASH;
    const hasTail = path.charCodeAt(path.length - 1) === SLASH;
    let result = common.resolveSegments(path.split('/'), isAbsolute).join('/');
    if (result.length === 0) {
      if (isAbsolute) return '/';
      return hasTail ? './' : '.';
    }
    if (hasTail) result += '/';
    return isAbsolute ? `/${result}` : result;
  },

  isAbsolute(path) {
    validateString(path, 'path');
    return path.length > 0 && path.charCodeAt(0) === SLASH;
  },

  join(...parts) {
    if (parts.length === 0) return '.';
    for (const part of parts) validateString(part, 'path');
    const joined = parts.filter((part) => part.length > 0).join('/');
    return joined.length === 0 ? '.' : posix.normalize(joined);
  },

  relative(from, to) {
    validateString(from, 'from');
    validateString(to, 'to');
    if (from === to) return '';
    from = posix.resolve(from);
    to = posix.resolve(to);
    if (from === to) return '';
    const fromParts = from.split('/').filter(Boolean);
    const toParts = to.split('/').filter(Boolean);
    let shared = 0;
    while (shared < fromParts.length && fromParts[shared] === toParts[shared]) shared += 1;
    return [...fromParts.slice(shared).map(() => '..'), ...toParts.slice(shared)].join('/');
  },

  toNamespacedPath(path) {
    return path;
  },

  dirname(path) {
    validateString(path, 'path');
    if (path.length === 0) return '.';
    const { from } = common.lastName(path, 0, isSeparator);
    if (from === 0) return path.charCodeAt(0) === SLASH ? '/' : '.';
    if (from === 1) return '/';
    // Two slashes at the start are one more than the root.
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
    // The directory as written, without the slash before the name.
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
