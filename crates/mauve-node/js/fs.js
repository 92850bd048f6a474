// The module 'fs'. Operations that are one system call come from internal/fs/operations; the
// others are defined here or loaded from internal/fs on first use.
const { constants } = binding('fs');
const utils = require('internal/fs/utils');
const { arity, callbackForm, ops, runAsync, runStepsInTicks, runStepsSync, runSync, syncForm } = require('internal/fs/operations');
const wholeFile = require('internal/fs/whole_file');
const readWrite = require('internal/fs/read_write');
const { Dirent, Stats } = require('internal/fs/stats');
const { defineComputed } = require('internal/util/getters');
const fs = module.exports;

for (const name of Object.keys(arity)) {
  fs[name] = callbackForm(name);
  fs[`${name}Sync`] = syncForm(name);
}

for (const name of ['appendFile', 'readFile', 'writeFile']) {
  fs[name] = wholeFile[name];
  fs[`${name}Sync`] = wholeFile[`${name}Sync`];
}
for (const name of ['read', 'readv', 'write', 'writev']) {
  fs[name] = readWrite[name];
  fs[`${name}Sync`] = readWrite[`${name}Sync`];
}

// The callback of close is optional.
const closeWith = fs.close;
fs.close = function close(fd, callback) {
  if (callback !== undefined) utils.checkCallback(callback);
  closeWith(fd, callback);
};

fs.exists = function exists(path, callback) {
  utils.checkCallback(callback);
  let op;
  try {
    op = ops.access(path);
  } catch {
    callback(false);
    return;
  }
  runAsync(op, (err) => callback(!err));
};
Object.defineProperty(fs.exists, Symbol.for('nodejs.util.promisify.custom'), {
  value: { exists: (path) => new Promise((resolve) => fs.exists(path, resolve)) }.exists,
});

fs.existsSync = function existsSync(path) {
  try {
    runSync(ops.access(path));
    return true;
  } catch {
    return false;
  }
};

// The error for a missing directory has no path, as in Node.
fs.opendirSync = function opendirSync(path, options) { return runSync({ ...ops.opendir(path, options), paths: 0 }); };

const withThrowIfNoEntry = (form) =>
  function (path, options) {
    try {
      return form(path, options);
    } catch (err) {
      if (options?.throwIfNoEntry === false && (err.code === 'ENOENT' || err.code === 'ENOTDIR')) return undefined;
      throw err;
    }
  };
fs.statSync = Object.defineProperty(withThrowIfNoEntry(fs.statSync), 'name', { value: 'statSync' });
fs.lstatSync = Object.defineProperty(withThrowIfNoEntry(fs.lstatSync), 'name', { value: 'lstatSync' });

function warnOfTruncate() {
  require('internal/process/warning').deprecate('Using fs.truncate with a file descriptor is deprecated. Please use fs.ftruncate with a file ' +
    'descriptor instead.', 'DEP0081');
}

fs.truncate = function truncate(path, length, callback) {
  if (typeof length === 'function') {
    callback = length;
    length = 0;
  }
  if (typeof path === 'number') {
    warnOfTruncate();
    fs.ftruncate(path, length, callback);
    return;
  }
  if (length === undefined) length = 0;
  utils.validateInteger(length, 'len');
  utils.checkCallback(callback);
  fs.open(path, 'r+', (err, fd) => {
    if (err) return callback(err);
    return fs.ftruncate(fd, length, (truncateErr) => fs.close(fd, (closeErr) => callback(truncateErr || closeErr || null)));
  });
};

fs.truncateSync = function truncateSync(path, length = 0) {
  if (typeof path === 'number') {
    warnOfTruncate();
    return fs.ftruncateSync(path, length);
  }
  const fd = fs.openSync(path, 'r+');
  try {
    return fs.ftruncateSync(fd, length);
  } finally {
    fs.closeSync(fd);
  }
};

// Calls back with the result of a promise.
function settle(promise, callback) {
  promise.then((value) => process.nextTick(callback, null, ...(value === undefined ? [] : [value])), (err) => process.nextTick(callback, err));
}

// Creates the callback form of an async function. `checked` throws for invalid arguments.
function withCallback(name, checked, promised) {
  return {
    [name](...args) {
      const callback = args.pop();
      utils.checkCallback(callback);
      checked(...args);
      settle(promised(...args), callback);
    },
  }[name];
}

fs.rm = withCallback('rm', (path, options) => require('internal/fs/rm').rmOptions(path, options), (path, options) =>
  require('internal/fs/rm').rm(path, options));
fs.rmSync = function rmSync(path, options) { return require('internal/fs/rm').rmSync(path, options); };
fs.cp = withCallback('cp', (source, target, options) => {
  require('internal/fs/cp').cpOptions(options);
  utils.toPath(source, 'src');
  utils.toPath(target, 'dest');
}, (source, target, options) => require('internal/fs/cp').cp(source, target, options));
fs.cpSync = function cpSync(source, target, options) { return require('internal/fs/cp').cpSync(source, target, options); };

function warnOfRmdir() {
  require('internal/process/warning').deprecate('In future versions of Node.js, fs.rmdir(path, { recursive: true }) will ' +
    'be removed. Use fs.rm(path, { recursive: true }) instead', 'DEP0147');
}

const rmdirPlain = fs.rmdir;
fs.rmdir = function rmdir(path, options, callback) {
  if (typeof options === 'object' && options?.recursive) {
    utils.checkCallback(callback);
    warnOfRmdir();
    settle(fs.promises.rmdir(path, options), callback);
    return;
  }
  rmdirPlain(path, options, callback);
};
const rmdirPlainSync = fs.rmdirSync;
fs.rmdirSync = function rmdirSync(path, options) {
  if (!options?.recursive) return rmdirPlainSync(path);
  warnOfRmdir();
  const { rmdirRecursive } = require('internal/fs/rm');
  return runStepsSync(rmdirRecursive(utils.toPath(path)));
};

const readdirPlain = fs.readdir;
fs.readdir = function readdir(path, options, callback) {
  if (typeof options !== 'object' || !options?.recursive) return readdirPlain(path, options, callback);
  utils.checkCallback(callback);
  utils.toPath(path);
  return settle(fs.promises.readdir(path, options), callback);
};
const readdirPlainSync = fs.readdirSync;
fs.readdirSync = function readdirSync(path, options) {
  if (typeof options !== 'object' || !options?.recursive) return readdirPlainSync(path, options);
  return runStepsSync(require('internal/fs/readdir_recursive').readdirRecursive(path, options));
};

// Only the native form calls realpath(3).
fs.realpath = function realpath(path, options, callback) {
  callback = typeof options === 'function' ? options : callback;
  utils.checkCallback(callback);
  const { encoding } = utils.toOptions(typeof options === 'function' ? undefined : options);
  runStepsInTicks(require('internal/fs/realpath').realpath(path), (err, found) => {
    if (err === null) callback(null, utils.fromName(found, encoding));
    else callback(err);
  });
};
fs.realpath.native = function native(path, options, callback) {
  callback = typeof options === 'function' ? options : callback;
  utils.checkCallback(callback);
  runAsync(ops.realpath(path, typeof options === 'function' ? undefined : options), callback);
};
fs.realpathSync = function realpathSync(path, options) {
  const { encoding } = utils.toOptions(options);
  return utils.fromName(runStepsSync(require('internal/fs/realpath').realpath(path)), encoding);
};
fs.realpathSync.native = (path, options) => runSync(ops.realpath(path, options));

// The promisified forms resolve with an object that names both results of the callback.
for (const [name, countName, dataName] of [
  ['read', 'bytesRead', 'buffer'],
  ['write', 'bytesWritten', 'buffer'],
  ['readv', 'bytesRead', 'buffers'],
  ['writev', 'bytesWritten', 'buffers'],
]) {
  const original = fs[name];
  Object.defineProperty(original, Symbol.for('nodejs.util.promisify.custom'), {
    value: (...args) =>
      new Promise((resolve, reject) => {
        original(...args, (err, count, data) =>
          (err ? reject(err) : resolve({ [countName]: count, [dataName]: data })));
      }),
  });
}

fs.watch = function watch(path, options, listener) { return require('internal/fs/watchers').watch(path, options, listener); };
fs.watchFile = function watchFile(path, options, listener) { return require('internal/fs/watchers').watchFile(path, options, listener); };
fs.unwatchFile = function unwatchFile(path, listener) { return require('internal/fs/watchers').unwatchFile(path, listener); };

fs.glob = function glob(pattern, options, callback) {
  if (typeof options === 'function') [options, callback] = [undefined, options];
  Array.fromAsync(require('internal/fs/glob').globIterator(pattern, options)).then(
    (found) => process.nextTick(callback, null, found), (err) => process.nextTick(callback, err));
};
fs.globSync = function globSync(pattern, options) { return require('internal/fs/glob').globSync(pattern, options); };
fs.mkdtempDisposableSync = function mkdtempDisposableSync(prefix, options) {
  const path = require('path').resolve(fs.mkdtempSync(prefix, options));
  const remove = () => fs.rmSync(path, { recursive: true, force: true });
  return { path, remove, [Symbol.dispose]() { remove(); } };
};

fs.createReadStream = function createReadStream(path, options) { return new fs.ReadStream(path, options); };
fs.createWriteStream = function createWriteStream(path, options) { return new fs.WriteStream(path, options); };

fs.openAsBlob = async function openAsBlob(path, options) { return new Blob([await fs.promises.readFile(path)], options); };

// Functions that Linux does not have are undefined in Node.
fs.lchmod = undefined;
fs.lchmodSync = undefined;

fs._toUnixTimestamp = utils.toTime;
fs.Dirent = Dirent;
fs.Stats = Stats;

// Streams, directories and promises are loaded on first use.
for (const [name, load] of Object.entries({
  Dir: () => require('internal/fs/dir').Dir,
  ReadStream: () => require('internal/fs/streams').ReadStream,
  WriteStream: () => require('internal/fs/streams').WriteStream,
  FileReadStream: () => require('internal/fs/streams').ReadStream,
  FileWriteStream: () => require('internal/fs/streams').WriteStream,
  promises: () => require('internal/fs/promises').promises,
})) defineComputed(fs, name, load, { enumerable: true });

Object.defineProperties(fs, {
  F_OK: { value: constants.F_OK },
  R_OK: { value: constants.R_OK },
  W_OK: { value: constants.W_OK },
  X_OK: { value: constants.X_OK },
  constants: { enumerable: true, value: constants },
});
