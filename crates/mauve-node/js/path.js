// The module 'path': path.posix, with path.win32 loaded on first use.

const posix = require('internal/path/posix');

posix.posix = posix;
Object.defineProperty(posix, 'win32', {
  get() {
    const { win32 } = require('internal/path/win32');
    win32.win32 = win32;
    win32.posix = posix;
    Object.defineProperty(posix, 'win32', { value: win32, writable: true, enumerable: true, configurable: true });
    return win32;
  },
  set(value) {
    Object.defineProperty(posix, 'win32', { value, writable: true, enumerable: true, configurable: true });
  },
  enumerable: true,
  configurable: true,
});

module.exports = posix;
