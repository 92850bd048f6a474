// path.win32: drives, UNC shares, both separators, comparison without case.

const { validateString } = require('internal/validators');
const common = require('internal/path/common');

const SLASH = 47;
const BACKSLASH = 92;
const COLON = 58;
const isSeparator = (code) => code === SLASH || code === BACKSLASH;
const isLetter = (code) => (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
const isSameName = (a, b) => a.toLowerCase() === b.toLowerCase();
const splitPath = (path) => path.split(/[\\/]/);

// Parses the root of a path: its `device` ("C:", "\\server\share" or ""), its
// `end`, whether the path is absolute, and whether it consists of a share only.
function rootOf(path, hasDevices = true) {
  const none = { device: '', end: 0, isAbsolute: false, isShareOnly: false };
  const first = path.charCodeAt(0);
  if (isSeparator(first)) {
    const share = isSeparator(path.charCodeAt(1)) ?
      /^[\\/]{2}([^\\/]+)[\\/]+([^\\/]+)/.exec(path) : null;
    if (share === null) return { ...none, end: 1, isAbsolute: true };
    // A device, such as \\.\COM1.
    if (hasDevices && (share[1] === '.' || share[1] === '?')) {
      return { device: `\\\\${share[1]}`, end: 4, isAbsolute: true, isShareOnly: false };
    }
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

// The working directory of a drive, which Windows keeps in the variable "=C:".
function currentDirectory(device) {
  if (device === '') return process.cwd();
  const path = process.env[`=${device}`] || process.cwd();
  const isOther = path.charCodeAt(2) === BACKSLASH && !isSameName(path.slice(0, 2), device);
  return isOther ? `${device}\\` : path;
}

// Resolves paths from right to left, until a drive or share and a root are known.
class Resolution {
  device = '';
  tail = '';
  isAbsolute = false;

  get isComplete() {
    return this.isAbsolute && this.device !== '';
  }

  // A path on another drive is ignored.
  prepend(path) {
    const root = rootOf(path);
    if (this.device === '') this.device = root.device;
    else if (root.device !== '' && !isSameName(root.device, this.device)) return;
    if (this.isAbsolute) return;
    this.tail = `${path.slice(root.end)}\\${this.tail}`;
    this.isAbsolute = root.isAbsolute;
  }

  toString() {
    const tail = common.resolveSegments(splitPath(this.tail), this.isAbsolute).join('\\');
    return this.isAbsolute ? `${this.device}\\${tail}` : `${this.device}${tail}` || '.';
  }
}

const win32 = {
  resolve(...paths) {
    const resolution = new Resolution();
    for (let i = paths.length - 1; i >= 0 && !resolution.isComplete; i--) {
      validateString(paths[i], `paths[${i}]`);
      if (paths[i] !== '') resolution.prepend(paths[i]);
    }
    if (!resolution.isComplete) resolution.prepend(currentDirectory(resolution.device));
    return resolution.toString();
  },

  normalize(path) {
    validateString(path, 'path');
    if (path.length === 0) return '.';
    if (path.length === 1) return path === '/' ? '\\' : path;
    const root = rootOf(path);
    let { device, end, isShareOnly } = root;
    const { isAbsolute } = root;
    // "\\\\?\\" and "\\\\.\\" are device paths, not the names of servers.
    if (/^\\\\[?.]\\/.test(device)) [device, end, isShareOnly] = [device.slice(0, 3), 4, false];
    if (isShareOnly) return `${device}\\`;
    let tail = common.resolveSegments(splitPath(path.slice(end)), isAbsolute).join('\\');
    if (tail.length === 0 && !isAbsolute) tail = '.';
    if (tail.length > 0 && end < path.length && isSeparator(path.charCodeAt(path.length - 1))) tail += '\\';
    // A relative path must not turn into one with a drive.
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
    // The result is a share only if the first part begins like one.
    const isShare = /^[\\/]{2}[^\\/]/.test(used[0]);
    if (!isShare) joined = joined.replace(/^[\\/]{2,}/, '\\');
    return win32.normalize(joined);
  },

  relative(from, to) {
    common.checkStrings({ from, to });
    if (from === to) return '';
    const [source, target] = [from, to].map((path) => win32.resolve(path));
    if (isSameName(source, target)) return '';
    const segmentsOf = (path) => path.split('\\').filter(Boolean);
    const lowerCase = (segment) => segment.toLowerCase();
    const { segments, shared } = common.relativeSegments(segmentsOf(source), segmentsOf(target), lowerCase);
    // No relative path leads to another drive or share.
    return shared === 0 ? target : segments.join('\\');
  },

  toNamespacedPath(path) {
    if (!path || typeof path !== 'string') return path;
    const resolved = win32.resolve(path);
    if (resolved.length < 3) return path;
    if (/^[a-zA-Z]:\\/.test(resolved)) return `\\\\?\\${resolved}`;
    return /^\\\\[^?.]/.test(resolved) ? `\\\\?\\UNC\\${resolved.slice(2)}` : resolved;
  },

  dirname(path) {
    validateString(path, 'path');
    if (path.length === 0) return '.';
    if (path.length === 1) return isSeparator(path.charCodeAt(0)) ? path : '.';
    const { end: rootEnd, isShareOnly, device } = rootOf(path, false);
    if (isShareOnly) return path;
    // The root of a share includes the separator after it.
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
    const { device, end, isShareOnly } = rootOf(path, false);
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
