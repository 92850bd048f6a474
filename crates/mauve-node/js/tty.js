// The module 'tty': terminals.
const { codes } = require('internal/errors');
const { Pipe, Socket } = require('internal/net/socket');
const { Writable } = require('stream');
const native = binding('stdio_streams');

function isatty(fd) { return Number.isInteger(fd) && fd >= 0 && fd <= 2147483647 && native.kind(fd) === 'TTY'; }

class ReadStream extends Socket {
  constructor(fd, options) {
    if (fd >> 0 !== fd || fd < 0) throw new codes.ERR_INVALID_FD(fd);
    const handle = new Pipe(native.openTerminal(fd));
    super({ highWaterMark: 0, manualStart: true, writable: false, ...options, handle });
    this.fd = fd;
    this.isRaw = false;
    this.isTTY = true;
  }

  setRawMode(on) {
    native.setRawMode(this._handle.id, !!on);
    this.isRaw = !!on;
    return this;
  }
}

// Writes are synchronous.
class WriteStream extends Writable {
  constructor(fd) {
    if (fd >> 0 !== fd || fd < 0) throw new codes.ERR_INVALID_FD(fd);
    super({ decodeStrings: false, emitClose: false });
    this.fd = fd;
    this.isTTY = true;
    const [columns, rows] = this.#size();
    this.columns = columns;
    this.rows = rows;
  }

  _write(chunk, encoding, cb) { require('internal/stdio').writeSync(this.fd, chunk, encoding, cb); }

  #size() {
    try {
      return native.windowSize(this.fd);
    } catch {
      return [80, 24];
    }
  }

  // Called on SIGWINCH.
  _refreshSize() {
    const [columns, rows] = this.#size();
    if (columns === this.columns && rows === this.rows) return;
    this.columns = columns;
    this.rows = rows;
    this.emit('resize');
  }

  getWindowSize() { return [this.columns, this.rows]; }

  getColorDepth(env = process.env) {
    if (env.FORCE_COLOR !== undefined) return { 0: 1, 1: 4, true: 4, '': 4, 2: 8, 3: 24 }[env.FORCE_COLOR] ?? 1;
    if (env.NODE_DISABLE_COLORS || env.NO_COLOR || env.TERM === 'dumb') return 1;
    if (env.COLORTERM === 'truecolor' || env.COLORTERM === '24bit') return 24;
    if (/-256(color)?$/i.test(env.TERM ?? '')) return 8;
    return env.TERM ? 4 : 1;
  }

  hasColors(count, env) {
    // The arguments are (count, env) or (env).
    const hasCount = env !== undefined || (count !== undefined && (typeof count !== 'object' || count === null));
    const depth = this.getColorDepth(hasCount ? env : count);
    return (hasCount ? count : 16) <= 2 ** depth;
  }

  cursorTo(x, y, callback) { return require('readline').cursorTo(this, x, y, callback); }
  moveCursor(dx, dy, callback) { return require('readline').moveCursor(this, dx, dy, callback); }
  clearLine(direction, callback) { return require('readline').clearLine(this, direction, callback); }
  clearScreenDown(callback) { return require('readline').clearScreenDown(this, callback); }
}

module.exports = { ReadStream, WriteStream, isatty };
