// fs: files and directories. The plain operations come from one table (internal/fs/operations); what
// is made of several of them, or needs more than a call, is put together here.

const { constants } = binding('fs');
const a = require('internal/fs/arguments');
const { arity, callbackForm, on, runAsync, runSync, syncForm } = require('internal/fs/operations');
const whole = require('internal/fs/whole');
const readWrite = require('internal/fs/read_write');
const { Dirent, Stats } = require('internal/fs/stats');

const fs = module.exports;

for (const name of Object.keys(arity)) {
  fs[name] = callbackForm(name);
  fs[`${name}Sync`] = syncForm(name);
}

for (const name of ['appendFile', 'readFile', 'writeFile']) {
  fs[name] = whole[name];
  fs[`${name}Sync`] = whole[`${name}Sync`];
}
for (const name of ['read', 'readv', 'write', 'writev']) {
  fs[name] = readWrite[name];
  fs[`${name}Sync`] = readWrite[`${name}Sync`];
}

// close without a callback throws the error at nobody; with one it is as the others.
const closeWith = fs.close;
fs.close = function close(fd, callback) {
  if (callback !== undefined) a.checkCallback(callback);
  closeWith(fd, callback);
};

fs.exists = function exists(path, callback) {
  a.checkCallback(callback);
  let op;
  try {
    op = on.access(path);
  } catch {
    callback(false);
    return;
  }
  runAsync(op, (err) => callback(!err));
};
Object.defineProperty(fs.exists, Symbol.for('nodejs.util.promisify.custom'), {
  value: (path) => new Promise((resolve) => fs.exists(path, resolve)),
});

fs.existsSync = function existsSync(path) {
  try {
    runSync(on.access(path));
    return true;
  } catch {
    return false;
  }
};

// A missing directory is told without its path here, as in Node.
fs.opendirSync = function opendirSync(path, options) {
  return runSync({ ...on.opendir(path, options), path: undefined });
};

const quiet = (form) =>
  function (path, options) {
    try {
      return form(path, options);
    } catch (err) {
      if (options?.throwIfNoEntry === false && (err.code === 'ENOENT' || err.code === 'ENOTDIR')) return undefined;
      throw err;
    }
  };
fs.statSync = Object.defineProperty(quiet(fs.statSync), 'name', { value: 'statSync' });
fs.lstatSync = Object.defineProperty(quiet(fs.lstatSync), 'name', { value: 'lstatSync' });

fs.truncate = function truncate(path, length, callback) {
  if (typeof length === 'function') {
    callback = length;
    length = 0;
  }
  a.checkCallback(callback);
  if (typeof path === 'number') {
    fs.ftruncate(path, length, callback);
    return;
  }
  a.validateInteger(length ?? 0, 'len');
  fs.open(path, 'r+', (err, fd) => {
    if (err) return callback(err);
    return fs.ftruncate(fd, length ?? 0, (truncateErr) => fs.close(fd, (closeErr) => callback(truncateErr || closeErr || null)));
  });
};

fs.truncateSync = function truncateSync(path, length = 0) {
  if (typeof path === 'number') return fs.ftruncateSync(path, length);
  const fd = fs.openSync(path, 'r+');
  try {
    return fs.ftruncateSync(fd, length);
  } finally {
    fs.closeSync(fd);
  }
};

// A promise-giving function with a callback instead.
function withCallback(name, checked, promised) {
  return {
    [name](...args) {
      const callback = args.pop();
      a.checkCallback(callback);
      checked(...args);
      promised(...args).then(
        (value) => process.nextTick(callback, null, ...(value === undefined ? [] : [value])),
        (err) => process.nextTick(callback, err),
      );
    },
  }[name];
}

fs.rm = withCallback('rm', (path, options) => require('internal/fs/remove').rmOptions(path, options), (path, options) =>
  require('internal/fs/remove').rm(path, options));
fs.rmSync = function rmSync(path, options) {
  return require('internal/fs/remove').rmSync(path, options);
};
fs.cp = withCallback('cp', (source, target, options) => {
  require('internal/fs/cp').cpOptions(options);
  a.toPath(source, 'src');
  a.toPath(target, 'dest');
}, (source, target, options) => require('internal/fs/cp').cp(source, target, options));
fs.cpSync = function cpSync(source, target, options) {
  return require('internal/fs/cp').cpSync(source, target, options);
};

const rmdirPlain = fs.rmdir;
fs.rmdir = function rmdir(path, options, callback) {
  if (typeof options === 'object' && options?.recursive) {
    a.checkCallback(callback);
    fs.promises.rmdir(path, options).then(() => process.nextTick(callback, null), (err) => process.nextTick(callback, err));
    return;
  }
  rmdirPlain(path, options, callback);
};
const rmdirPlainSync = fs.rmdirSync;
fs.rmdirSync = function rmdirSync(path, options) {
  if (!options?.recursive) return rmdirPlainSync(path);
  const { driveSync, oldRecursiveRmdir } = require('internal/fs/remove');
  return driveSync(oldRecursiveRmdir(a.toPath(path)));
};

const readdirPlain = fs.readdir;
fs.readdir = function readdir(path, options, callback) {
  if (typeof options !== 'object' || !options?.recursive) return readdirPlain(path, options, callback);
  a.checkCallback(callback);
  a.toPath(path);
  return fs.promises.readdir(path, options).then(
    (list) => process.nextTick(callback, null, list),
    (err) => process.nextTick(callback, err),
  );
};
const readdirPlainSync = fs.readdirSync;
fs.readdirSync = function readdirSync(path, options) {
  if (typeof options !== 'object' || !options?.recursive) return readdirPlainSync(path, options);
  const { driveSync } = require('internal/fs/remove');
  return driveSync(require('internal/fs/tree').listTree(path, options));
};

// The plain form walks in JavaScript under Node and tells of lstat; the native one asks the system.
const realpathOp = (path, options) => ({ ...on.realpath(path, options), syscall: 'lstat' });
fs.realpath = function realpath(path, options, callback) {
  callback = typeof options === 'function' ? options : callback;
  a.checkCallback(callback);
  runAsync(realpathOp(path, typeof options === 'function' ? undefined : options), callback);
};
fs.realpath.native = function native(path, options, callback) {
  callback = typeof options === 'function' ? options : callback;
  a.checkCallback(callback);
  runAsync(on.realpath(path, typeof options === 'function' ? undefined : options), callback);
};
fs.realpathSync = function realpathSync(path, options) {
  return runSync(realpathOp(path, options));
};
fs.realpathSync.native = (path, options) => runSync(on.realpath(path, options));

const promisified = Symbol.for('nodejs.util.promisify.args');
for (const [name, names] of [
  ['read', ['bytesRead', 'buffer']],
  ['write', ['bytesWritten', 'buffer']],
  ['readv', ['bytesRead', 'buffers']],
  ['writev', ['bytesWritten', 'buffers']],
]) {
  const plain = fs[name];
  Object.defineProperty(plain, promisified, { value: names });
  Object.defineProperty(plain, Symbol.for('nodejs.util.promisify.custom'), {
    value: (...args) =>
      new Promise((resolve, reject) => {
        plain(...args, (err, count, data) => (err ? reject(err) : resolve({ [names[0]]: count, [names[1]]: data })));
      }),
  });
}

fs.watch = function watch(path, options, listener) {
  return require('internal/fs/watchers').watch(path, options, listener);
};
fs.watchFile = function watchFile(path, options, listener) {
  return require('internal/fs/watchers').watchFile(path, options, listener);
};
fs.unwatchFile = function unwatchFile(path, listener) {
  return require('internal/fs/watchers').unwatchFile(path, listener);
};

fs.createReadStream = function createReadStream(path, options) {
  return new fs.ReadStream(path, options);
};
fs.createWriteStream = function createWriteStream(path, options) {
  return new fs.WriteStream(path, options);
};

fs.openAsBlob = async function openAsBlob(path, options) {
  return new Blob([await fs.promises.readFile(path)], options);
};

// Not there on Linux, and there to be asked for.
fs.lchmod = undefined;
fs.lchmodSync = undefined;

fs._toUnixTimestamp = a.toTime;
fs.Dirent = Dirent;
fs.Stats = Stats;

// Streams, directories and promises are loaded when somebody wants them.
function lazy(name, load, enumerable = true) {
  let value;
  Object.defineProperty(fs, name, {
    configurable: true,
    enumerable,
    get: () => (value ??= load()),
    set(replacement) {
      value = replacement;
    },
  });
}
lazy('Dir', () => require('internal/fs/dir').Dir);
lazy('ReadStream', () => require('internal/fs/streams').ReadStream);
lazy('WriteStream', () => require('internal/fs/streams').WriteStream);
lazy('FileReadStream', () => require('internal/fs/streams').ReadStream);
lazy('FileWriteStream', () => require('internal/fs/streams').WriteStream);
lazy('promises', () => require('internal/fs/promises').promises);

Object.defineProperties(fs, {
  F_OK: { enumerable: true, value: constants.F_OK },
  R_OK: { enumerable: true, value: constants.R_OK },
  W_OK: { enumerable: true, value: constants.W_OK },
  X_OK: { enumerable: true, value: constants.X_OK },
  constants: { enumerable: true, value: constants },
});
