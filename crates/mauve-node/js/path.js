// The module 'path': path.posix, with path.win32 loaded on first use. The binding works on the text.
const { validateObject, validateString } = require('internal/validators');
const natives = binding('path');

// The working directory of a drive, which Windows keeps in the variable "=C:".
function currentDirectory(device) {
  const path = (device && process.env[`=${device}`]) || process.cwd();
  validateString(path, 'paths[-1]');
  const isOther = device && path[2] === '\\' && path.slice(0, 2).toLowerCase() !== device.toLowerCase();
  return isOther ? `${device}\\` : path;
}

function createPath(isWindows, sep, delimiter) {
  // A method with the argument `path`.
  const withPath = (name, method = natives[name].bind(undefined, isWindows)) => ({ [name](value) {
    validateString(value, 'path');
    return method(value);
  } })[name];

  const path = {
    resolve(...paths) {
      const check = (index) => validateString(paths[index], `paths[${index}]`);
      return natives.resolve(isWindows, paths, check, currentDirectory);
    },

    normalize: withPath('normalize'),
    isAbsolute: withPath('isAbsolute'),

    join(...parts) {
      for (const part of parts) validateString(part, 'path');
      return natives.join(isWindows, parts);
    },

    relative(from, to) {
      validateString(from, 'from');
      validateString(to, 'to');
      return from === to ? '' : natives.relative(isWindows, path.resolve(from), path.resolve(to));
    },

    toNamespacedPath(value) {
      if (!isWindows || !value || typeof value !== 'string') return value;
      return natives.toNamespacedPath(value, path.resolve(value));
    },

    dirname: withPath('dirname'),

    basename(value, suffix) {
      if (suffix !== undefined) validateString(suffix, 'suffix');
      validateString(value, 'path');
      return natives.basename(isWindows, value, suffix);
    },

    extname: withPath('extname'),

    format(object) {
      validateObject(object, 'pathObject');
      const dir = object.dir || object.root;
      const { ext } = object;
      const base = object.base || `${object.name || ''}${ext ? `${ext[0] === '.' ? '' : '.'}${ext}` : ''}`;
      if (!dir) return base;
      return dir === object.root ? `${dir}${base}` : `${dir}${sep}${base}`;
    },

    parse: withPath('parse', (value) => {
      const [root, dir, base, ext, name] = natives.parse(isWindows, value);
      return { root, dir, base, ext, name };
    }),

    sep, delimiter,
    win32: null,
    posix: null,
  };
  path._makeLong = path.toNamespacedPath;
  path.matchesGlob = (name, pattern) => require('internal/fs/glob').matchesGlob(name, pattern);
  return path;
}

const posix = createPath(false, '/', ':');
posix.posix = posix;

require('internal/util/getters').defineComputed(posix, 'win32', () => {
  const win32 = createPath(true, '\\', ';');
  return Object.assign(win32, { win32, posix });
}, { isKept: true, enumerable: true });

module.exports = posix;
