// The module 'zlib': streams that compress and decompress on the thread pool, and functions for whole buffers.
// Zstandard throws.
const { Buffer } = require('buffer');
const { VIEWS, bytesOf, toBuffer, toBytes } = require('internal/crypto/bytes');
const { codes } = require('internal/errors');
const { inherit } = require('internal/streams/constructors');
const { deprecate } = require('internal/util/wrappers');
const { validateFunction, validateNumber, validateUint32 } = require('internal/validators');
const { Transform, finished } = require('stream');
const native = binding('zlib');
const { table } = binding('util');
const kFlush = Symbol('kFlush');
const constants = Object.create(null);
for (const [kind, name, value] of table('zlib.constants')) {
  Object.defineProperty(constants, name, { value: kind === 'infinity' ? Infinity : Number(value), enumerable: true });
}
const { BROTLI_DECODE, BROTLI_ENCODE, GUNZIP, INFLATE, UNZIP, Z_FINISH, Z_FULL_FLUSH, Z_SYNC_FLUSH } = constants;
const FORMATS = ['Deflate', 'Inflate', 'Gzip', 'Gunzip', 'DeflateRaw', 'InflateRaw', 'Unzip'];
// The values of `flush`, from the weakest.
const FLUSHES = [0, constants.Z_BLOCK, 1, 2, 3, Z_FINISH];
const stronger = (a, b) => (FLUSHES.indexOf(a) > FLUSHES.indexOf(b) ? a : b);

// A number of the options, in its range, or its default.
function number(value, name, min, max, standard) {
  if (value === undefined || Number.isNaN(value)) return standard;
  validateNumber(value, name);
  if (!Number.isFinite(value)) throw new codes.ERR_OUT_OF_RANGE(name, 'a finite number', value);
  const range = max === Infinity ? `>= ${min}` : `>= ${min} and <= ${max}`;
  if (value < min || value > max) throw new codes.ERR_OUT_OF_RANGE(name, range, value);
  return value;
}

function ZlibBase(options, mode, { flush, finishFlush, fullFlush, maxFlush }, create) {
  const given = (name, min, max, standard) => number(options?.[name], `options.${name}`, min, max, standard);
  this._chunkSize = given('chunkSize', constants.Z_MIN_CHUNK, Infinity, constants.Z_DEFAULT_CHUNK);
  this._defaultFlushFlag = given('flush', 0, maxFlush, flush);
  this._finishFlushFlag = given('finishFlush', 0, maxFlush, finishFlush);
  this._maxOutputLength = given('maxOutputLength', 1, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
  const bytesOnly = { encoding: null, objectMode: false, writableObjectMode: false };
  const isText = options?.encoding || options?.objectMode || options?.writableObjectMode;
  const handle = create(given);
  Transform.call(this, { autoDestroy: true, ...options, ...(isText ? bytesOnly : {}) });
  Object.assign(this, { bytesWritten: 0, _handle: handle, _outOffset: 0, _defaultFullFlushFlag: fullFlush, _info: options?.info,
    _mode: mode });
}
inherit(ZlibBase, Transform);

function fail([errno, code, message]) { return Object.assign(new Error(message), { errno, code }); }

// Writes a chunk, and continues until the codec has taken it. The output comes in buffers of the chunk size.
function write(self, chunk, flush, callback) {
  if (!self._handle) {
    process.nextTick(callback);
    return;
  }
  let before = chunk.length;
  const onStep = (errno, [output, left, isFull, failure]) => {
    if (self.destroyed) return callback();
    if (failure) return self.destroy(fail(failure));
    self.bytesWritten += before - left;
    before = left;
    const wantsMore = output.length === 0 || self.push(toBuffer(output));
    self._outOffset = isFull ? 0 : self._outOffset + output.length;
    if (self.destroyed) return callback();
    if (isFull && wantsMore) step();
    else if (isFull) waitForRead(self, step);
    else {
      // The data has ended, and what follows is ignored.
      if (left > 0) self.push(null);
      callback();
    }
  };
  const step = (data) => self._handle?.write(flush, data, self._chunkSize - self._outOffset, onStep);
  step(chunk);
}

function waitForRead(self, next) {
  const { _read } = self;
  self._read = (size) => {
    self._read = _read;
    next();
    self._read(size);
  };
}

// Compresses or decompresses a whole chunk at once.
function writeSync(self, chunk, flush) {
  const limit = self._maxOutputLength;
  const [output, left, , failure] = self._handle.write(flush, chunk, limit + 1);
  if (failure) throw fail(failure);
  self.bytesWritten += chunk.length - left;
  if (output.length > limit) throw new codes.ERR_BUFFER_TOO_LARGE(limit);
  return toBuffer(output);
}

Object.defineProperty(ZlibBase.prototype, '_closed',
  { configurable: true, enumerable: true, get() { return !this._handle; } });
Object.assign(ZlibBase.prototype, {
  reset() {
    if (!this._handle) require('internal/assert/assertion_error').fail('zlib binding closed');
    this._handle.reset();
  },

  _flush(callback) { this._transform(Buffer.alloc(0), '', callback); },

  _final(callback) { callback(); },

  flush(kind, callback) {
    const [flush, done] = typeof kind === 'function' || (kind === undefined && !callback) ?
      [this._defaultFullFlushFlag, kind] : [kind, callback];
    if (this.writableFinished) {
      if (done) process.nextTick(done);
    } else if (this.writableEnded) {
      if (done) this.once('end', done);
    } else {
      this.write(Object.assign(Buffer.alloc(0), { [kFlush]: flush }), '', done);
    }
  },

  close(callback) {
    if (callback) finished(this, callback);
    this.destroy();
  },

  _destroy(error, callback) {
    this._handle = null;
    callback(error);
  },

  _transform(chunk, encoding, callback) {
    const isLast = this.writableEnded && this.writableLength === chunk.byteLength;
    const flush = chunk[kFlush] ?? this._defaultFlushFlag;
    write(this, chunk, isLast ? stronger(flush, this._finishFlushFlag) : flush, callback);
  },

  _processChunk(chunk, flush, callback) {
    if (typeof callback !== 'function') return writeSync(this, chunk, flush);
    write(this, chunk, flush, callback);
  },
});

function Zlib(options, mode) {
  const flush = { flush: 0, finishFlush: Z_FINISH, fullFlush: Z_FULL_FLUSH, maxFlush: constants.Z_BLOCK };
  const isDecoder = mode === INFLATE || mode === GUNZIP || mode === UNZIP;
  const minBits = mode === constants.GZIP || mode === GUNZIP ? 9 : 8;
  ZlibBase.call(this, options, mode, flush, (given) => {
    // Decoders take the size of the window from the header.
    const takesHeader = isDecoder && !options?.windowBits;
    const windowBits = takesHeader ? (mode === INFLATE ? 0 : 15) : given('windowBits', minBits, 15, 15);
    this._level = given('level', -1, 9, -1);
    const memLevel = given('memLevel', 1, 9, 8);
    this._strategy = given('strategy', 0, 4, 0);
    const { dictionary } = options ?? {};
    const bytes = dictionary === undefined ? undefined : bytesOf(dictionary);
    if (bytes === undefined && dictionary !== undefined) {
      throw new codes.ERR_INVALID_ARG_TYPE('options.dictionary', ['Buffer', 'TypedArray', 'DataView', 'ArrayBuffer'], dictionary);
    }
    return native.create(mode, [this._level, windowBits, memLevel, this._strategy], bytes);
  });
}
inherit(Zlib, ZlibBase);
Zlib.prototype.params = function params(level, strategy, callback) {
  number(level, 'level', -1, 9);
  number(strategy, 'strategy', 0, 4);
  if (this._level === level && this._strategy === strategy) {
    process.nextTick(callback);
    return;
  }
  this.flush(Z_SYNC_FLUSH, () => {
    if (!this._handle) return;
    this._handle.setParams(level, strategy);
    [this._level, this._strategy] = [level, strategy];
    callback?.();
  });
};

function Brotli(options, mode) {
  const settings = [];
  for (const key of Object.keys(options?.params ?? {})) {
    const value = options.params[key];
    if (!/^[0-9]$/.test(key)) throw new codes.ERR_BROTLI_INVALID_PARAM(key);
    if (typeof value !== 'number' && typeof value !== 'boolean') throw new codes.ERR_INVALID_ARG_TYPE('options.params[key]', 'number', value);
    settings.push(Number(key), Number(value));
  }
  const flush = { flush: 0, finishFlush: constants.BROTLI_OPERATION_FINISH, fullFlush: constants.BROTLI_OPERATION_FLUSH,
    maxFlush: constants.BROTLI_OPERATION_EMIT_METADATA };
  ZlibBase.call(this, options, mode, flush, () => {
    const handle = native.create(mode, settings, undefined);
    if (!handle) throw new codes.ERR_ZLIB_INITIALIZATION_FAILED();
    return handle;
  });
}
inherit(Brotli, Zlib);

function crc32(data, value = 0) {
  if (typeof data !== 'string' && !ArrayBuffer.isView(data)) {
    throw new codes.ERR_INVALID_ARG_TYPE('data', ['Buffer', 'TypedArray', 'DataView', 'string'], data);
  }
  validateUint32(value, 'value');
  return native.crc32(toBytes(data, 'data'), value);
}

// The class of a format.
function classOf(name, mode, Base) {
  const warn = deprecate(() => {}, `Instantiating ${name} without the 'new' keyword has been deprecated.`, 'DEP0184');
  const Class = { [name]: function (options) {
    if (!(this instanceof Class)) {
      warn();
      return new Class(options);
    }
    Base.call(this, options, mode);
  } }[name];
  inherit(Class, Base);
  return Class;
}

// Passes the whole output of a stream to the callback.
function collect(stream, buffer, callback) {
  validateFunction(callback, 'callback');
  const chunks = [];
  let size = 0;
  stream.on('data', (chunk) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size <= stream._maxOutputLength) return;
    stream.close();
    stream.removeAllListeners('end').removeAllListeners('data');
    callback(new codes.ERR_BUFFER_TOO_LARGE(stream._maxOutputLength));
  });
  stream.on('error', (error) => {
    stream.removeAllListeners('end');
    callback(error);
  });
  stream.on('end', () => {
    const output = Buffer.concat(chunks);
    stream.close();
    callback(null, stream._info ? { buffer: output, engine: stream } : output);
  });
  stream.end(buffer instanceof ArrayBuffer ? toBuffer(bytesOf(buffer)) : buffer);
}

// The class of a format, the function that creates it, and the functions for whole buffers.
function define(exports, name, mode, Base) {
  const Class = classOf(name, mode, Base);
  const short = name[0].toLowerCase() + name.slice(1);
  const create = { [`create${name}`]: function (options) { return new Class(options); } }[`create${name}`];
  exports[name] = Class;
  Object.defineProperty(exports, `create${name}`, { value: create, enumerable: true, configurable: true });
  exports[short] = function asyncBufferWrapper(buffer, options, callback) {
    const isShort = typeof options === 'function';
    return collect(new Class(isShort ? {} : options), buffer, isShort ? options : callback);
  };
  exports[`${short}Sync`] = function syncBufferWrapper(buffer, options) {
    const stream = new Class(options);
    const bytes = toBytes(buffer, 'buffer', ['string', VIEWS[1], VIEWS[2], VIEWS[3], VIEWS[0]]);
    const output = writeSync(stream, bytes, stream._finishFlushFlag);
    stream._handle = null;
    return stream._info ? { buffer: output, engine: stream } : output;
  };
}

const own = { crc32 };
for (const [index, name] of FORMATS.entries()) define(own, name, index + 1, Zlib);
define(own, 'BrotliCompress', BROTLI_ENCODE, Brotli);
define(own, 'BrotliDecompress', BROTLI_DECODE, Brotli);

const zlib = require('internal/stand_in')('zlib', own);
const names = Object.fromEntries(table('zlib.codes').map(([name]) => [name, constants[name]]));
for (const [name, code] of Object.entries(names)) names[code] = name;
Object.defineProperties(zlib, {
  constants: { value: constants, writable: false, enumerable: true, configurable: false },
  codes: { value: Object.freeze(names), writable: false, enumerable: true, configurable: false },
});
// Deprecated names.
for (const name of Object.keys(constants)) {
  if (!name.startsWith('BROTLI')) Object.defineProperty(zlib, name, { value: constants[name] });
}
module.exports = zlib;
