// fs.read, write, readv and writev: their overloads, reduced to calls of the binding.
const { codes } = require('internal/errors');
const { Buffer } = require('buffer');
const { validateBuffer, validateObject } = require('internal/validators');
const utils = require('internal/fs/utils');
const { call, runAsync, runSync } = require('internal/fs/operations');
const { readCall, writeCall } = require('internal/fs/whole_file');

// Arguments of read, without the callback: (fd, buffer, offset, length, position),
// (fd, buffer, options) or (fd, options).
function readArguments(fd, buffer, offset, length, position) {
  utils.toFd(fd);
  if (buffer === undefined || buffer === null || !ArrayBuffer.isView(buffer)) {
    const options = buffer;
    if (options !== undefined && options !== null && typeof options !== 'object') {
      throw new codes.ERR_INVALID_ARG_TYPE('buffer', ['Buffer', 'TypedArray', 'DataView'], options);
    }
    buffer = options?.buffer === undefined ? Buffer.alloc(16384) : options.buffer;
    ({ offset, length, position } = options ?? {});
  } else if (arguments.length === 3) {
    offset ??= {};
    validateObject(offset, 'options');
    ({ offset, length, position } = offset);
  }
  validateBuffer(buffer, 'buffer');
  const bytes = utils.toBytes(buffer);
  if (offset === undefined || offset === null) offset = 0;
  else utils.validateInteger(offset, 'offset', 0);
  length ??= bytes.byteLength - offset;
  length |= 0;
  if (bytes.byteLength === 0 && length !== 0) throw new codes.ERR_INVALID_ARG_VALUE('buffer', buffer, 'is empty and cannot be written');
  utils.checkRange(offset, length, bytes.byteLength);
  position = utils.toPosition(position, 'position', length);
  return { fd, buffer, bytes, offset, length, position };
}

function read(fd, ...rest) {
  const callback = rest[rest.length - 1];
  if (typeof callback === 'function') rest.pop();
  const args = readArguments(fd, ...rest);
  utils.checkCallback(callback);
  if (args.length === 0) {
    process.nextTick(callback, null, 0, args.buffer);
    return;
  }
  runAsync(readCall(args.fd, args.bytes, args.offset, args.length, args.position), (err, count) =>
    callback(err, count || 0, args.buffer),
  );
}

function readSync(fd, buffer, ...rest) {
  validateBuffer(buffer, 'buffer');
  const args = readArguments(fd, buffer, ...rest);
  if (args.length === 0) return 0;
  return runSync(readCall(args.fd, args.bytes, args.offset, args.length, args.position));
}

// (fd, buffer, offset, length, position), (fd, buffer, options) or (fd, string, position, encoding).
function writeArguments(fd, data, offset, length, position) {
  utils.toFd(fd);
  if (typeof data === 'string') {
    const bytes = Buffer.from(data, length || 'utf8');
    return { fd, data, bytes, position: typeof offset === 'number' ? offset : -1 };
  }
  if (!ArrayBuffer.isView(data)) throw new codes.ERR_INVALID_ARG_TYPE('buffer', ['string', 'Buffer', 'TypedArray', 'DataView'], data);
  if (offset !== null && typeof offset === 'object') ({ offset, length, position } = offset);
  const bytes = utils.toBytes(data);
  if (offset === undefined || offset === null) offset = 0;
  else utils.validateInteger(offset, 'offset', 0);
  if (typeof length !== 'number') length = bytes.byteLength - offset;
  if (typeof position !== 'number') position = -1;
  utils.checkRange(offset, length, bytes.byteLength);
  return { fd, data, bytes: bytes.subarray(offset, offset + length), position };
}

function write(fd, data, ...rest) {
  const callback = rest[rest.length - 1];
  if (typeof callback === 'function') rest.pop();
  const args = writeArguments(fd, data, ...rest);
  utils.checkCallback(callback);
  runAsync(writeCall(args.fd, args.bytes, args.position), (err, count) => callback(err, count || 0, args.data));
}

function writeSync(fd, data, ...rest) {
  const args = writeArguments(fd, data, ...rest);
  return runSync(writeCall(args.fd, args.bytes, args.position));
}

// Reads into one buffer and copies from it: the binding has no readv.
function readvCall(fd, views, position) {
  utils.toFd(fd);
  const parts = utils.toByteList(views);
  const whole = Buffer.allocUnsafe(parts.reduce((sum, part) => sum + part.byteLength, 0));
  const map = (count) => {
    let at = 0;
    for (const part of parts) {
      if (at >= count) break;
      part.set(whole.subarray(at, Math.min(count, at + part.byteLength)));
      at += part.byteLength;
    }
    return count;
  };
  const at = typeof position === 'number' ? position : -1;
  return call('read', [fd, whole, 0, whole.length, at], { map });
}

function writevCall(fd, views, position) {
  utils.toFd(fd);
  const parts = utils.toByteList(views);
  return call('writev', [fd, parts, typeof position === 'number' ? position : -1], { syscall: 'write', map: (count) => count });
}

function vectorForm(name, makeCall) {
  const form = (fd, views, position, callback) => {
    callback = callback || position;
    const op = makeCall(fd, views, position);
    utils.checkCallback(callback);
    runAsync(op, (err, count) => callback(err, count || 0, views));
  };
  return Object.defineProperty(form, 'name', { value: name });
}

module.exports = {
  read, readSync, readArguments,
  readv: vectorForm('readv', readvCall),
  readvCall,
  readvSync: (fd, views, position) => runSync(readvCall(fd, views, position)),
  write, writeArguments, writeSync,
  writev: vectorForm('writev', writevCall),
  writevCall,
  writevSync: (fd, views, position) => runSync(writevCall(fd, views, position)),
};
