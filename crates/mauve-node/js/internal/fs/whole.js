// readFile, writeFile, appendFile: whole files, in as many separate operations as Node makes of them
// (open, fstat, reads, close), for their number is visible in the order of callbacks.

const { AbortError, codes } = require('internal/errors');
const { Buffer } = require('buffer');
const a = require('internal/fs/arguments');
const { call, on, runAsync, runPromise, runSync } = require('internal/fs/operations');

// So much is read at once of a file whose size is known, and of one whose is not.
const PORTION = 512 * 1024;
const UNKNOWN_PORTION = 64 * 1024;
const MAX_SIZE = 2 ** 31 - 1;

const isFd = (path) => Number.isInteger(path) && path >= 0;
const readCall = (fd, bytes, offset, length, position = -1) =>
  call('read', [fd, bytes, offset, length, position], { map: (count) => count });
const writeCall = (fd, bytes, position = -1) => call('write', [fd, bytes, position], { map: (count) => count });

const decode = (bytes, encoding) => (encoding && encoding !== 'buffer' ? bytes.toString(encoding) : bytes);

function readOptions(options) {
  const result = a.toOptions(options, { flag: 'r' });
  return result;
}

// Collects what is read; knows how much to ask for next.
class Contents {
  constructor(stats) {
    this.size = stats.isFile() ? stats.size : 0;
    if (this.size > MAX_SIZE) throw new codes.ERR_FS_FILE_TOO_LARGE(this.size);
    this.at = 0;
    this.parts = [];
    this.buffer = this.size > 0 ? Buffer.allocUnsafeSlow(this.size) : null;
  }

  // The next read: where to, and how much.
  next() {
    if (this.buffer) return [this.buffer, this.at, Math.min(PORTION, this.size - this.at)];
    const part = Buffer.allocUnsafeSlow(UNKNOWN_PORTION);
    this.parts.push(part);
    return [part, 0, UNKNOWN_PORTION];
  }

  // Returns whether that was all.
  took(count) {
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
  a.checkCallback(callback);
  options = readOptions(options);
  const { signal, encoding } = options;
  if (signal?.aborted) {
    callback(new AbortError(undefined, { cause: signal.reason }));
    return;
  }
  const given = isFd(path);
  if (given) process.nextTick(begin, path);
  else runAsync(on.open(path, options.flag, 0o666), (err, fd) => (err ? callback(err) : begin(fd)));

  function begin(fd) {
    runAsync(on.fstat(fd), (err, stats) => {
      if (err) return end(fd, err);
      let contents;
      try {
        contents = new Contents(stats);
      } catch (tooLarge) {
        return end(fd, tooLarge);
      }
      return readOn(fd, contents);
    });
  }
  function readOn(fd, contents) {
    if (signal?.aborted) return end(fd, new AbortError(undefined, { cause: signal.reason }));
    return runAsync(readCall(fd, ...contents.next()), (err, count) => {
      if (err) return end(fd, err);
      if (!contents.took(count)) return readOn(fd, contents);
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
    if (given) process.nextTick(finish);
    else runAsync(on.close(fd), finish);
  }
}

function readFileSync(path, options) {
  options = readOptions(options);
  const given = isFd(path);
  const fd = given ? path : runSync(on.open(path, options.flag, 0o666));
  try {
    const contents = new Contents(runSync(on.fstat(fd)));
    while (!contents.took(runSync(readCall(fd, ...contents.next()))));
    return decode(contents.bytes(), options.encoding);
  } finally {
    if (!given) runSync(on.close(fd));
  }
}

function writeOptions(options, flag) {
  const result = a.toOptions(options, { encoding: 'utf8', mode: 0o666, flag, flush: false });
  if (result.flush !== undefined && result.flush !== null) {
    require('internal/validators').validateBoolean(result.flush, 'options.flush');
  }
  return result;
}

function writeFile(path, data, options, callback) {
  write(path, data, options, callback, 'w');
}

function appendFile(path, data, options, callback) {
  write(path, data, options, callback, 'a');
}

function write(path, data, options, callback, defaultFlag) {
  callback = callback || options;
  a.checkCallback(callback);
  options = writeOptions(options, defaultFlag);
  const bytes = a.toContents(data, options.encoding);
  const { signal } = options;
  const given = isFd(path);
  if (given) return writeOn(path, bytes);
  if (signal?.aborted) return callback(new AbortError(undefined, { cause: signal.reason }));
  return runAsync(on.open(path, options.flag, options.mode), (err, fd) => (err ? callback(err) : writeOn(fd, bytes)));

  function writeOn(fd, rest) {
    if (signal?.aborted) return end(fd, new AbortError(undefined, { cause: signal.reason }));
    return runAsync(writeCall(fd, rest), (err, count) => {
      if (err) return end(fd, err);
      if (count < rest.length) return writeOn(fd, rest.subarray(count));
      if (!options.flush) return end(fd, null);
      return runAsync(on.fsync(fd), (syncErr) => end(fd, syncErr));
    });
  }
  function end(fd, err) {
    if (given) return callback(err ?? null);
    return runAsync(on.close(fd), (closeErr) => callback(err ?? closeErr ?? null));
  }
}

function writeSync(path, data, options, defaultFlag) {
  options = writeOptions(options, defaultFlag);
  let bytes = a.toContents(data, options.encoding);
  const given = isFd(path);
  const fd = given ? path : runSync(on.open(path, options.flag, options.mode));
  try {
    while (bytes.length > 0) bytes = bytes.subarray(runSync(writeCall(fd, bytes)));
    if (options.flush) runSync(on.fsync(fd));
  } finally {
    if (!given) runSync(on.close(fd));
  }
}

const writeFileSync = (path, data, options) => writeSync(path, data, options, 'w');
const appendFileSync = (path, data, options) => writeSync(path, data, options, 'a');

// The promise forms take a descriptor that somebody else opens and closes.
async function readAll(fd, options) {
  const { signal, encoding } = options;
  const check = () => {
    if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });
  };
  check();
  const contents = new Contents(await runPromise(on.fstat(fd)));
  do check();
  while (!contents.took(await runPromise(readCall(fd, ...contents.next()))));
  return decode(contents.bytes(), encoding);
}

async function writeAll(fd, bytes, signal) {
  do {
    if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });
    const count = await runPromise(writeCall(fd, bytes));
    bytes = bytes.subarray(count);
  } while (bytes.length > 0);
}

module.exports = {
  appendFile,
  appendFileSync,
  readAll,
  readCall,
  readFile,
  readFileSync,
  readOptions,
  writeAll,
  writeCall,
  writeFile,
  writeFileSync,
  writeOptions,
};
