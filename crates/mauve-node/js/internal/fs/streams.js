// fs.ReadStream and fs.WriteStream.
const { codes } = require('internal/errors');
const { Buffer } = require('buffer');
const { Readable, Writable, finished } = require('stream');
const validators = require('internal/validators');
const { errorOrDestroy } = require('internal/streams/destroy');
const { defineGetters } = require('internal/util/getters');
const utils = require('internal/fs/utils');
const DEFAULT_HIGH_WATER_MARK = 64 * 1024;
const kFs = Symbol('kFs');
const kHandle = Symbol('kHandle');
const kPendingIo = Symbol('kPendingIo');
const kIoDone = Symbol('kIoDone');
const orDefault = (value, fallback) => (value === undefined ? fallback : value);

// The fs functions that a stream calls. A replacement in the options must have all that are needed.
function selectFs(replacement, needed) {
  if (!replacement) return require('fs');
  for (const name of needed) validators.validateFunction(replacement[name], `options.fs.${name}`);
  return replacement;
}

// Sets the properties that both streams have, from their options.
function initialize(stream, path, options, needed, flags) {
  stream[kFs] = selectFs(options.fs, needed);
  setDescriptor(stream, path, options);
  stream.flags = orDefault(options.flags, flags);
  stream.mode = orDefault(options.mode, 0o666);
  options.autoDestroy = orDefault(options.autoClose, true);
}

// Checks `start`, which is the position of the first read or write.
function setStart(stream) {
  if (stream.start === undefined) return;
  validators.validateInteger(stream.start, 'start', 0);
  stream.pos = stream.start;
}

function setDescriptor(stream, path, options) {
  if (options.fd == null) {
    stream.fd = null;
    stream.path = utils.toPath(path);
  } else if (typeof options.fd === 'number') {
    validators.validateInteger(options.fd, 'fd', 0, 2147483647);
    stream.fd = options.fd;
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

// The fs functions that a stream uses, on a FileHandle.
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
    // A subclass that overrides open() opens the file and emits 'open'.
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

function openLegacy() {
  const name = this instanceof ReadStream ? 'ReadStream' : 'WriteStream';
  require('internal/process/warning').deprecate(`${name}.prototype.open() is deprecated`, 'DEP0135');
}

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

// Runs an operation on the descriptor. `start` takes the callback of fs, `finish` its arguments.
function runIo(stream, start, finish) {
  stream[kPendingIo] = true;
  start((err, count) => {
    stream[kPendingIo] = false;
    const isDestroyed = stream.destroyed;
    finish(err, count);
    if (isDestroyed) stream.emit(kIoDone, err);
  });
}

// Closes the descriptor, after the operation that is pending on it.
function destroyFile(err, cb) {
  if (this[kPendingIo]) this.once(kIoDone, (ioErr) => closeFile(this, err || ioErr, cb));
  else closeFile(this, err, cb);
}

function checkEnd({ start, end }) {
  if (end === Infinity) return;
  validators.validateInteger(end, 'end', 0);
  if (start > end) throw new codes.ERR_OUT_OF_RANGE('start', `<= "end" (here: ${end})`, start);
}

function ReadStream(path, options) {
  if (!(this instanceof ReadStream)) return new ReadStream(path, options);
  const settings = { ...utils.toOptions(options) };
  settings.highWaterMark ??= DEFAULT_HIGH_WATER_MARK;
  initialize(this, path, settings, ['open', 'read', 'close'], 'r');
  this.start = settings.start;
  this.end = settings.end ?? Infinity;
  this.pos = undefined;
  this.bytesRead = 0;
  this[kPendingIo] = false;
  setStart(this);
  checkEnd(this);
  Reflect.apply(Readable, this, [settings]);
  if (settings.encoding) this.setEncoding(settings.encoding);
}
Object.setPrototypeOf(ReadStream.prototype, Readable.prototype);
Object.setPrototypeOf(ReadStream, Readable);

ReadStream.prototype._read = function _read(size) {
  const position = this.pos ?? this.bytesRead;
  const length = Math.min(size, this.end - position + 1);
  if (length <= 0) {
    this.push(null);
    return;
  }
  const buffer = Buffer.allocUnsafeSlow(length);
  runIo(this, (done) => this[kFs].read(this.fd, buffer, 0, length, this.pos, done), (err, count) => {
    if (this.destroyed) return;
    if (err) errorOrDestroy(this, err);
    else this.push(count > 0 ? takeBytes(this, buffer, count) : null);
  });
};

// Counts the bytes of a read. A copy keeps a short read from holding the whole buffer in memory.
function takeBytes(stream, buffer, count) {
  stream.bytesRead += count;
  if (stream.pos !== undefined) stream.pos += count;
  return count < buffer.length ? Buffer.from(buffer.subarray(0, count)) : buffer;
}

ReadStream.prototype.close = function close(cb) {
  if (typeof cb === 'function') finished(this, cb);
  this.destroy();
};

function WriteStream(path, options) {
  if (!(this instanceof WriteStream)) return new WriteStream(path, options);
  const settings = { ...utils.toOptions(options), decodeStrings: true };
  const { fs } = settings;
  // One of write and writev is enough.
  const given = ['write', 'writev'].filter((name) => fs?.[name]);
  const needed = ['open', 'close', ...(given.length > 0 ? given : ['write'])];
  initialize(this, path, settings, needed, 'w');
  this.flush = settings.flush ?? false;
  validators.validateBoolean(this.flush, 'options.flush');
  this.start = settings.start;
  this.pos = undefined;
  this.bytesWritten = 0;
  this[kPendingIo] = false;
  for (const name of ['writev', 'write']) {
    if (fs && !fs[name]) this[`_${name}`] = null;
  }
  setStart(this);
  Reflect.apply(Writable, this, [settings]);
  if (settings.encoding) this.setDefaultEncoding(settings.encoding);
}
Object.setPrototypeOf(WriteStream.prototype, Writable.prototype);
Object.setPrototypeOf(WriteStream, Writable);

// Writes a chunk, or several with one call. The rest of them is written as one chunk.
function writeAll(stream, data, size, position, cb) {
  const name = Array.isArray(data) ? 'writev' : 'write';
  const onWritten = (err, count) => {
    if (stream.destroyed || err) {
      cb(err || new codes.ERR_STREAM_DESTROYED(name));
      return;
    }
    stream.bytesWritten += count;
    const whole = () => (name === 'write' ? data : Buffer.concat(data));
    const next = position === undefined ? undefined : position + count;
    if (count === size) cb();
    else writeAll(stream, whole().subarray(count), size - count, next, cb);
  };
  if (name === 'write') stream[kFs].write(stream.fd, data, 0, size, position, onWritten);
  else stream[kFs].writev(stream.fd, data, position, onWritten);
}

WriteStream.prototype._write = function _write(data, encoding, cb) {
  runIo(this, (done) => writeAll(this, data, data.length, this.pos, done), cb);
  if (this.pos !== undefined) this.pos += data.length;
};

WriteStream.prototype._writev = function _writev(items, cb) {
  const chunks = items.map((item) => item.chunk);
  const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  runIo(this, (done) => writeAll(this, chunks, size, this.pos, done), cb);
  if (this.pos !== undefined) this.pos += size;
};

WriteStream.prototype.close = function close(cb) {
  if (cb && this.closed) {
    process.nextTick(cb);
    return;
  }
  if (cb) this.on('close', cb);
  // Without autoClose, nothing else closes the descriptor at the end.
  if (!this._writableState.autoDestroy) this.on('finish', this.destroy);
  this.end();
};
WriteStream.prototype.destroySoon = WriteStream.prototype.end;

for (const Class of [ReadStream, WriteStream]) {
  Object.assign(Class.prototype, { open: openLegacy, _construct: openFile, _destroy: destroyFile });
  defineGetters(Class.prototype, { pending: ({ fd }) => fd === null }, false);
  Object.defineProperty(Class.prototype, 'autoClose', {
    configurable: true,
    get() { return (this._readableState || this._writableState).autoDestroy; },
    set(value) { (this._readableState || this._writableState).autoDestroy = value; },
  });
}

module.exports = { ReadStream, WriteStream };
