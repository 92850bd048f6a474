// fs.readFile, writeFile and appendFile. They make the same calls as Node (open, fstat, reads, close),
// because the number of calls shows in the order of callbacks.
const { abortError, throwIfAborted } = require('internal/abort');
const { codes } = require('internal/errors');
const { Buffer } = require('buffer');
const utils = require('internal/fs/utils');
const { call, ops, runAsync, runPromise, runSync } = require('internal/fs/operations');

// Bytes per read of a file of known size, and of unknown size.
const CHUNK_SIZE = 512 * 1024;
const UNKNOWN_CHUNK_SIZE = 64 * 1024;
const MAX_SIZE = 2 ** 31 - 1;
const isFd = (path) => Number.isInteger(path) && path >= 0;
const readCall = (fd, bytes, offset, length, position = -1) =>
  call('read', [fd, bytes, offset, length, position], { map: (count) => count });
const writeCall = (fd, bytes, position = -1) => call('write', [fd, bytes, position], { map: (count) => count });
const decode = (bytes, encoding) => (encoding && encoding !== 'buffer' ? bytes.toString(encoding) : bytes);
const readOptions = (options) => utils.toOptions(options, { flag: 'r' });

// Collects the chunks of a file that is being read.
class Contents {
  constructor(stats) {
    this.size = stats.isFile() ? stats.size : 0;
    if (this.size > MAX_SIZE) throw new codes.ERR_FS_FILE_TOO_LARGE(this.size);
    this.at = 0;
    this.parts = [];
    this.buffer = this.size > 0 ? Buffer.allocUnsafeSlow(this.size) : null;
  }

  // The buffer, offset and length of the next read.
  next() {
    if (this.buffer) return [this.buffer, this.at, Math.min(CHUNK_SIZE, this.size - this.at)];
    const part = Buffer.allocUnsafeSlow(UNKNOWN_CHUNK_SIZE);
    this.parts.push(part);
    return [part, 0, UNKNOWN_CHUNK_SIZE];
  }

  // Adds `count` bytes of the last read. Returns whether the file is complete.
  add(count) {
    this.at += count;
    if (this.buffer) return count === 0 || this.at === this.size;
    const last = this.parts.length - 1;
    this.parts[last] = this.parts[last].subarray(0, count);
    return count === 0;
  }

  bytes() {
    if (!this.buffer) return Buffer.concat(this.parts, this.at);
    return this.at === this.size ? this.buffer : this.buffer.subarray(0, this.at);
  }
}

function readFile(path, options, callback) {
  callback = callback || options;
  utils.checkCallback(callback);
  options = readOptions(options);
  const { signal, encoding } = options;
  if (signal?.aborted) {
    callback(abortError(signal));
    return;
  }
  const isFdGiven = isFd(path);
  if (isFdGiven) process.nextTick(begin, path);
  else runAsync(ops.open(path, options.flag, 0o666), (err, fd) => (err ? callback(err) : begin(fd)));

  function begin(fd) {
    runAsync(ops.fstat(fd), (err, stats) => {
      if (err) return end(fd, err);
      let contents;
      try {
        contents = new Contents(stats);
      } catch (tooLarge) {
        return end(fd, tooLarge);
      }
      return readNext(fd, contents);
    });
  }
  function readNext(fd, contents) {
    if (signal?.aborted) return end(fd, abortError(signal));
    return runAsync(readCall(fd, ...contents.next()), (err, count) => {
      if (err) return end(fd, err);
      if (!contents.add(count)) return readNext(fd, contents);
      return end(fd, null, contents);
    });
  }
  function end(fd, err, contents) {
    const finish = (closeErr) => {
      if (err || closeErr) return callback(err || closeErr);
      let result;
      try {
        result = decode(contents.bytes(), encoding);
      } catch (thrown) {
        return callback(thrown);
      }
      return callback(null, result);
    };
    if (isFdGiven) process.nextTick(finish);
    else runAsync(ops.close(fd), finish);
  }
}

function readFileSync(path, options) {
  options = readOptions(options);
  const isFdGiven = isFd(path);
  const fd = isFdGiven ? path : runSync(ops.open(path, options.flag, 0o666));
  try {
    const contents = new Contents(runSync(ops.fstat(fd)));
    while (!contents.add(runSync(readCall(fd, ...contents.next()))));
    return decode(contents.bytes(), options.encoding);
  } finally {
    if (!isFdGiven) runSync(ops.close(fd));
  }
}

function writeOptions(options, flag) {
  const result = utils.toOptions(options, { encoding: 'utf8', mode: 0o666, flag, flush: false });
  result.flag ||= flag;
  if (result.flush !== undefined && result.flush !== null) require('internal/validators').validateBoolean(result.flush, 'options.flush');
  return result;
}

function writeFile(path, data, options, callback) { write(path, data, options, callback, 'w'); }
function appendFile(path, data, options, callback) { write(path, data, options, callback, 'a'); }

function write(path, data, options, callback, defaultFlag) {
  callback = callback || options;
  utils.checkCallback(callback);
  options = writeOptions(options, defaultFlag);
  const bytes = utils.toContents(data, options.encoding);
  const { signal } = options;
  const isFdGiven = isFd(path);
  if (isFdGiven) return writeNext(path, bytes);
  if (signal?.aborted) return callback(abortError(signal));
  return runAsync(ops.open(path, options.flag, options.mode), (err, fd) => (err ? callback(err) : writeNext(fd, bytes)));

  function writeNext(fd, rest) {
    if (signal?.aborted) return end(fd, abortError(signal));
    return runAsync(writeCall(fd, rest), (err, count) => {
      if (err) return end(fd, err);
      if (count < rest.length) return writeNext(fd, rest.subarray(count));
      if (!options.flush) return end(fd, null);
      return runAsync(ops.fsync(fd), (syncErr) => end(fd, syncErr));
    });
  }
  function end(fd, err) {
    if (isFdGiven) return callback(err ?? null);
    return runAsync(ops.close(fd), (closeErr) => callback(err ?? closeErr ?? null));
  }
}

function writeSync(path, data, options, defaultFlag) {
  options = writeOptions(options, defaultFlag);
  let bytes = utils.toContents(data, options.encoding);
  const isFdGiven = isFd(path);
  const fd = isFdGiven ? path : runSync(ops.open(path, options.flag, options.mode));
  try {
    while (bytes.length > 0) bytes = bytes.subarray(runSync(writeCall(fd, bytes)));
    if (options.flush) runSync(ops.fsync(fd));
  } finally {
    if (!isFdGiven) runSync(ops.close(fd));
  }
}

const writeFileSync = (path, data, options) => writeSync(path, data, options, 'w');
const appendFileSync = (path, data, options) => writeSync(path, data, options, 'a');

// The promise forms. The caller opens and closes the descriptor.
async function readAll(fd, options) {
  const { signal, encoding } = options;
  throwIfAborted(signal);
  const contents = new Contents(await runPromise(ops.fstat(fd)));
  do throwIfAborted(signal);
  while (!contents.add(await runPromise(readCall(fd, ...contents.next()))));
  return decode(contents.bytes(), encoding);
}

async function writeAll(fd, bytes, signal) {
  do {
    throwIfAborted(signal);
    const count = await runPromise(writeCall(fd, bytes.subarray(0, CHUNK_SIZE)));
    bytes = bytes.subarray(count);
  } while (bytes.length > 0);
}

module.exports = {
  appendFile, appendFileSync, readAll, readCall, readFile, readFileSync, readOptions, writeAll, writeCall, writeFile,
  writeFileSync, writeOptions,
};
