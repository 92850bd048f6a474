// Paths of Windows: drives, shares, both slashes, names without case.

const { validateString } = require('internal/validators');
const common = require('internal/path_common');

const SLASH = 47;
const BACKSLASH = 92;
const COLON = 58;
const isSeparator = (code) => code === SLASH || code === BACKSLASH;
const isLetter = (code) => (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
const splitPath = (path) => path.split(/[\\/]/);

// Takes a path apart: `device` ("C:", "\\server\share" or ""), `end` of the
// root, and whether it is absolute. `isShareOnly` if a share is all there is.
function rootOf(path) {
  const none = { device: '', end: 0, isAbsolute: false, isShareOnly: false };
  const first = path.charCodeAt(0);
  if (isSeparator(first)) {
    const share = isSeparator(path.charCodeAt(1)) ?
      /^[\\/]{2}([^\\/]+)[\\/]+([^\\/]+)/.exec(path) : null;
    if (share === null) return { ...none, end: 1, isAbsolute: true };
    return {
      device: `\\\\${share[1]}\\${share[2]}`,
      end: share[0].length,
      isAbsolute: true,
      isShareOnly: share[0].length === path.length,
    };
  }
  if (isLetter(first) && path.charCodeAt(1) === COLON) {
    const isAbsolute = isSeparator(path.charCodeAt(2));
    return { device: path.slice(0, 2), end: isAbsolute ? 3 : 2, isAbsolute, isShareOnly: false };
  }
  return none;
}

// The working directory of a drive, as its hidden variable has it.
function currentDirectory(device) {
  if (device === '') return process.cwd();
  const path = process.env[`=${device}`] || process.cwd();
  const isOther = path.slice(0, 2).toLowerCase() !== device.toLowerCase() && path.charCodeAt(2) === BACKSLASH;
  return path === undefined || isOther ? `${device}\\` : path;
}

const win32 = {
  resolve(...parts) {
    let device = '';
    let tail = '';
    let isAbsolute = false;
    for (let i = parts.length - 1; i >= -1; i--) {
      let path;
      if (i >= 0) {
        path = parts[i];
        validateString(path, `paths[${i}]`);
        if (path.length === 0) continue;
      } else {
        path = currentDirectory(device);
      }
      const root = rootOf(path);
      if (root.device.length > 0) {
        // A path on another drive says nothing about this one.
        if (device.length > 0 && root.device.toLowerCase() !== device.toLowerCase()) continue;
        if (device.length === 0) device = root.device;
      }
      if (isAbsolute) {
        if (device.length > 0) break;
      } else {
        tail = `${path.slice(root.end)}\\${tail}`;
        isAbsolute = root.isAbsolute;
        if (isAbsolute && device.length > 0) break;
      }
    }
    tail = common.resolveSegments(splitPath(tail), isAbsolute).join('\\');
    return isAbsolute ? `${device}\\${tail}` : `${device}${tail}` || '.';
  },

  normalize(path) {
    validateString(path, 'path');
    if (path.length === 0) return '.';
    if (path.length === 1) return path === '/' ? '\\' : path;
    const root = rootOf(path);
    let { device, end, isShareOnly } = root;
    const { isAbsolute } = root;
    // "\\\\?\\" and "\\\\.\\" lead to devices, not to a server of that name.
    if (/^\\\\[?.]\\/.test(device)) [device, end, isShareOnly] = [device.slice(0, 3), 4, false];
    if (isShareOnly) return `${device}\\`;
    let tail = common.resolveSegments(splitPath(path.slice(end)), isAbsolute).join('\\');
    if (tail.length === 0 && !isAbsolute) tail = '.';
    if (tail.length > 0 && end < path.length && isSeparator(path.charCodeAt(path.length - 1))) tail += '\\';
    // What was no drive must not become one.
    if (!isAbsolute && device === '' && path.includes(':')) {
      if (tail.length >= 2 && isLetter(tail.charCodeAt(0)) && tail.charCodeAt(1) === COLON) return `.\\${tail}`;
      for (let index = path.indexOf(':'); index !== -1; index = path.indexOf(':', index + 1)) {
        if (index === path.length - 1 || isSeparator(path.charCodeAt(index + 1))) return `.\\${tail}`;
      }
    }
    return isAbsolute ? `${device}\\${tail}` : `${device}${tail}`;
  },

  isAbsolute(path) {
    validateString(path, 'path');
    return rootOf(path).isAbsolute;
  },

  join(...parts) {
    if (parts.length === 0) return '.';
    for (const part of parts) validateString(part, 'path');
    const used = parts.filter((part) => part.length > 0);
    if (used.length === 0) return '.';
    let joined = used.join('\\');
    // Joining must not make a share of what was none: only a first part that
    // begins like one keeps its two slashes.
    const isShare = /^[\\/]{2}[^\\/]/.test(used[0]);
    if (!isShare) joined = joined.replace(/^[\\/]{2,}/, '\\');
    return win32.normalize(joined);
  },

  relative(from, to) {
    validateString(from, 'from');
    validateString(to, 'to');
    if (from === to) return '';
    const fromFull = win32.resolve(from);
    const toFull = win32.resolve(to);
    if (fromFull === toFull || fromFull.toLowerCase() === toFull.toLowerCase()) return '';
    const fromParts = fromFull.split('\\').filter(Boolean);
    const toParts = toFull.split('\\').filter(Boolean);
    let shared = 0;
    while (shared < fromParts.length && shared < toParts.length &&
      fromParts[shared].toLowerCase() === toParts[shared].toLowerCase()) shared += 1;
    // Nothing in common, such as two drives: no way leads there.
    if (shared === 0) return toFull;
    return [...fromParts.slice(shared).map(() => '..'), ...toParts.slice(shared)].join('\\');
  },

  toNamespacedPath(path) {
    if (typeof path !== 'string' || path.length === 0) return path;
    const resolved = win32.resolve(path);
    if (resolved.length <= 2) return path;
    if (resolved.startsWith('\\\\')) {
      const third = resolved.charAt(2);
      if (third !== '?' && third !== '.') return `\\\\?\\UNC\\${resolved.slice(2)}`;
    } else if (/^[a-zA-Z]:\\/.test(resolved)) {
      return `\\\\?\\${resolved}`;
    }
    return resolved;
  },

  dirname(path) {
    validateString(path, 'path');
    if (path.length === 0) return '.';
    if (path.length === 1) return isSeparator(path.charCodeAt(0)) ? path : '.';
    const { end: rootEnd, isShareOnly, device } = rootOf(path);
    if (isShareOnly) return path;
    // The separator after a share belongs to it.
    const start = device.startsWith('\\\\') ? rootEnd + 1 : rootEnd;
    const { from } = common.lastName(path, start, isSeparator);
    if (from <= start) return start === 0 ? '.' : path.slice(0, start);
    return path.slice(0, Math.max(start, from - 1));
  },

  basename(path, suffix) {
    common.checkSuffix(suffix);
    validateString(path, 'path');
    if (suffix === path) return '';
    const start = isLetter(path.charCodeAt(0)) && path.charCodeAt(1) === COLON ? 2 : 0;
    const { from, end } = common.lastName(path, start, isSeparator);
    return common.stripSuffix(path.slice(from, end), suffix);
  },

  extname(path) {
    validateString(path, 'path');
    return common.extensionOf(win32.basename(path));
  },

  format(object) {
    return common.format('\\', object);
  },

  parse(path) {
    validateString(path, 'path');
    if (path.length === 0) return { root: '', dir: '', base: '', ext: '', name: '' };
    const { device, end, isShareOnly } = rootOf(path);
    const isShare = device.startsWith('\\\\');
    const rootEnd = isShare && !isShareOnly ? end + 1 : end;
    const root = path.slice(0, rootEnd);
    if (isShareOnly) return { root: path, dir: path, base: '', ext: '', name: '' };
    const found = common.lastName(path, rootEnd, isSeparator);
    const base = path.slice(found.from, found.end);
    const ext = common.extensionOf(base);
    const name = ext === '' ? base : base.slice(0, -ext.length);
    const dir = base !== '' && found.from > rootEnd ? path.slice(0, found.from - 1) : root;
    return { root, dir, base, ext, name };
  },

  sep: '\\',
  delimiter: ';',
  win32: null,
  posix: null,
};

Object.defineProperty(win32, '_makeLong', { value: win32.toNamespacedPath, writable: true, enumerable: true, configurable: true });

module.exports = { win32 };
