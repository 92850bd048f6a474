// fs.ReadStream and fs.WriteStream.

const { codes } = require('internal/errors');
const { Buffer } = require('buffer');
const { Readable, Writable, finished } = require('stream');
const validators = require('internal/validators');
const { errorOrDestroy } = require('internal/streams/destroy');
const a = require('internal/fs/arguments');

const kFs = Symbol('kFs');
const kHandle = Symbol('kHandle');
const kBusy = Symbol('kBusy');
const kIdle = Symbol('kIdle');

function streamOptions(options) {
  if (options == null) return {};
  if (typeof options === 'string') return a.toOptions(options);
  return a.toOptions(options);
}

// What the script put in place of fs functions, and which it must then give all of.
const needed = { read: ['open', 'read', 'close'], write: ['open', 'close'] };
function takeFs(stream, options, kind) {
  const given = options.fs;
  const fs = given || require('fs');
  for (const name of needed[kind]) {
    if (given) validators.validateFunction(given[name], `options.fs.${name}`);
  }
  if (given && kind === 'write' && !given.write && !given.writev) validators.validateFunction(given.write, 'options.fs.write');
  stream[kFs] = fs;
}

function takeDescriptor(stream, path, options) {
  if (options.fd == null) {
    stream.fd = null;
    stream.path = a.toPath(path);
  } else if (typeof options.fd === 'number') {
    validators.validateInteger(options.fd, 'fd', 0, 2147483647);
    stream.fd = options.fd;
    stream.path = path;
  } else if (typeof options.fd === 'object' && typeof options.fd.fd === 'number') {
    if (options.fs) throw new codes.ERR_METHOD_NOT_IMPLEMENTED('FileHandle with fs');
    stream[kHandle] = options.fd;
    stream.fd = options.fd.fd;
    stream[kFs] = handleAsFs(options.fd);
    options.fd.on('close', () => stream.close());
  } else {
    throw new codes.ERR_INVALID_ARG_TYPE('fd', ['number', 'FileHandle'], options.fd);
  }
}

// A FileHandle in the shape of the fs functions that a stream uses.
function handleAsFs(handle) {
  return {
    read: (fd, buffer, offset, length, position, cb) =>
      handle.read(buffer, offset, length, position).then(({ bytesRead }) => cb(null, bytesRead, buffer), cb),
    write: (fd, buffer, offset, length, position, cb) =>
      handle.write(buffer, offset, length, position).then(({ bytesWritten }) => cb(null, bytesWritten, buffer), cb),
    writev: (fd, buffers, position, cb) =>
      handle.writev(buffers, position).then(({ bytesWritten }) => cb(null, bytesWritten, buffers), cb),
    close: (fd, cb) => handle.close().then(() => cb(null), cb),
    fsync: (fd, cb) => handle.sync().then(() => cb(null), cb),
  };
}

function openFile(callback) {
  if (typeof this.fd === 'number') {
    callback();
    return;
  }
  if (this.open !== openLegacy) {
    // A subclass with an open() of its own opens by itself and emits 'open'.
    const emit = this.emit;
    this.emit = function (...args) {
      if (args[0] === 'open') {
        this.emit = emit;
        callback();
      } else if (args[0] === 'error') {
        this.emit = emit;
        callback(args[1]);
        return true;
      }
      return Reflect.apply(emit, this, args);
    };
    this.open();
    return;
  }
  this[kFs].open(this.path, this.flags, this.mode, (err, fd) => {
    if (err) {
      callback(err);
      return;
    }
    this.fd = fd;
    callback();
    this.emit('open', fd);
    this.emit('ready');
  });
}

function openLegacy() {}

function closeFile(stream, err, cb) {
  if (stream.fd == null) {
    cb(err);
    return;
  }
  const close = () => {
    stream[kFs].close(stream.fd, (closeErr) => cb(closeErr || err));
    stream.fd = null;
  };
  if (stream.flush && !err) {
    stream[kFs].fsync(stream.fd, (syncErr) => {
      err ??= syncErr;
      close();
    });
  } else {
    close();
  }
}

// While an operation is under way the descriptor must stay open.
function destroyFile(err, cb) {
  if (this[kBusy]) this.once(kIdle, (busyErr) => closeFile(this, err || busyErr, cb));
  else closeFile(this, err, cb);
}

function ReadStream(path, options) {
  if (!(this instanceof ReadStream)) return new ReadStream(path, options);
  options = { ...streamOptions(options) };
  options.highWaterMark ??= 64 * 1024;
  if (options.autoDestroy === undefined) options.autoDestroy = false;
  takeFs(this, options, 'read');
  takeDescriptor(this, path, options);
  this.flags = options.flags === undefined ? 'r' : options.flags;
  this.mode = options.mode === undefined ? 0o666 : options.mode;
  options.autoDestroy = options.autoClose === undefined ? true : options.autoClose;
  this.start = options.start;
  this.end = options.end ?? Infinity;
  this.pos = undefined;
  this.bytesRead = 0;
  this[kBusy] = false;
  if (this.start !== undefined) {
    validators.validateInteger(this.start, 'start', 0);
    this.pos = this.start;
  }
  if (this.end !== Infinity) {
    validators.validateInteger(this.end, 'end', 0);
    if (this.start !== undefined && this.start > this.end) {
      throw new codes.ERR_OUT_OF_RANGE('start', `<= "end" (here: ${this.end})`, this.start);
    }
  }
  Reflect.apply(Readable, this, [options]);
  if (options.encoding) this.setEncoding(options.encoding);
}
Object.setPrototypeOf(ReadStream.prototype, Readable.prototype);
Object.setPrototypeOf(ReadStream, Readable);

ReadStream.prototype.open = openLegacy;
ReadStream.prototype._construct = openFile;
ReadStream.prototype._destroy = destroyFile;

ReadStream.prototype._read = function _read(size) {
  size = this.pos !== undefined ? Math.min(this.end - this.pos + 1, size) : Math.min(this.end - this.bytesRead + 1, size);
  if (size <= 0) {
    this.push(null);
    return;
  }
  const buffer = Buffer.allocUnsafeSlow(size);
  this[kBusy] = true;
  this[kFs].read(this.fd, buffer, 0, size, this.pos, (err, count) => {
    this[kBusy] = false;
    if (this.destroyed) {
      this.emit(kIdle, err);
      return;
    }
    if (err) {
      errorOrDestroy(this, err);
    } else if (count > 0) {
      if (this.pos !== undefined) this.pos += count;
      this.bytesRead += count;
      // A short read must not keep the whole buffer in memory.
      this.push(count === size ? buffer : Buffer.from(buffer.subarray(0, count)));
    } else {
      this.push(null);
    }
  });
};

ReadStream.prototype.close = function close(cb) {
  if (typeof cb === 'function') finished(this, cb);
  this.destroy();
};

function WriteStream(path, options) {
  if (!(this instanceof WriteStream)) return new WriteStream(path, options);
  options = { ...streamOptions(options) };
  options.decodeStrings = true;
  takeFs(this, options, 'write');
  takeDescriptor(this, path, options);
  this.flags = options.flags === undefined ? 'w' : options.flags;
  this.mode = options.mode === undefined ? 0o666 : options.mode;
  options.autoDestroy = options.autoClose === undefined ? true : options.autoClose;
  this.flush = options.flush ?? false;
  if (options.flush != null) validators.validateBoolean(options.flush, 'options.flush');
  this.start = options.start;
  this.pos = undefined;
  this.bytesWritten = 0;
  this[kBusy] = false;
  if (options.fs && !options.fs.writev) this._writev = null;
  if (options.fs && !options.fs.write) this._write = null;
  if (this.start !== undefined) {
    validators.validateInteger(this.start, 'start', 0);
    this.pos = this.start;
  }
  Reflect.apply(Writable, this, [options]);
  if (options.encoding) this.setDefaultEncoding(options.encoding);
}
Object.setPrototypeOf(WriteStream.prototype, Writable.prototype);
Object.setPrototypeOf(WriteStream, Writable);

WriteStream.prototype.open = openLegacy;
WriteStream.prototype._construct = openFile;
WriteStream.prototype._destroy = destroyFile;

function writeAll(stream, data, size, position, cb) {
  stream[kFs].write(stream.fd, data, 0, size, position, (err, count) => {
    if (stream.destroyed || err) {
      cb(err || new codes.ERR_STREAM_DESTROYED('write'));
      return;
    }
    stream.bytesWritten += count;
    if (count === size) cb();
    else writeAll(stream, data.subarray(count), size - count, position !== undefined ? position + count : position, cb);
  });
}

WriteStream.prototype._write = function _write(data, encoding, cb) {
  this[kBusy] = true;
  writeAll(this, data, data.length, this.pos, (err) => {
    this[kBusy] = false;
    if (this.destroyed) {
      cb(err);
      this.emit(kIdle, err);
      return;
    }
    cb(err);
  });
  if (this.pos !== undefined) this.pos += data.length;
};

WriteStream.prototype._writev = function _writev(items, cb) {
  const whole = Buffer.concat(items.map((item) => item.chunk));
  this._write(whole, 'buffer', cb);
};

WriteStream.prototype.close = function close(cb) {
  if (cb) {
    if (this.closed) {
      process.nextTick(cb);
      return;
    }
    this.on('close', cb);
  }
  // Without autoClose nobody else would close the descriptor when the end has come.
  if (!this._writableState.autoDestroy) this.on('finish', this.destroy);
  this.end();
};
WriteStream.prototype.destroySoon = WriteStream.prototype.end;

for (const Class of [ReadStream, WriteStream]) {
  Object.defineProperties(Class.prototype, {
    pending: {
      configurable: true,
      get() {
        return this.fd === null;
      },
    },
    autoClose: {
      configurable: true,
      get() {
        return (this._readableState || this._writableState).autoDestroy;
      },
      set(value) {
        (this._readableState || this._writableState).autoDestroy = value;
      },
    },
  });
}

module.exports = { ReadStream, WriteStream };
