// The operations of fs that are one call of the binding. Each entry of `ops` checks the arguments and
// returns the call; the synchronous, callback and promise forms all run these.

const native = binding('fs');
const { codes, uvException } = require('internal/errors');
const { validateBoolean } = require('internal/validators');
const { Buffer } = require('buffer');
const utils = require('internal/fs/utils');
const { toStats, toStatFs, toDirent } = require('internal/fs/stats');

const identity = (value) => value;
const toUndefined = () => undefined;

// A call of the binding: its function and arguments, the conversion of its result, and the details of
// the error if it fails.
function call(name, args, { map = toUndefined, path, dest, syscall = name } = {}) {
  return { name, args, map, path, dest, syscall };
}

const ops = {
  open(path, flags, mode) {
    path = utils.toPath(path);
    return call('open', [path, utils.toFlags(flags), utils.toMode(mode, 'mode', 0o666)], { path, map: identity });
  },
  close: (fd) => call('close', [utils.toFd(fd)]),
  access(path, mode) {
    path = utils.toPath(path);
    mode = utils.toAccess(mode);
    return call('access', [path, mode], { path });
  },
  chmod(path, mode) {
    path = utils.toPath(path);
    return call('chmod', [path, utils.toMode(mode, 'mode')], { path });
  },
  fchmod: (fd, mode) => call('fchmod', [utils.toFd(fd), utils.toMode(mode, 'mode')]),
  chown(path, uid, gid) {
    path = utils.toPath(path);
    return call('chown', [path, utils.toId(uid, 'uid'), utils.toId(gid, 'gid')], { path });
  },
  fchown: (fd, uid, gid) => call('fchown', [utils.toFd(fd), utils.toId(uid, 'uid'), utils.toId(gid, 'gid')]),
  lchown(path, uid, gid) {
    path = utils.toPath(path);
    return call('lchown', [path, utils.toId(uid, 'uid'), utils.toId(gid, 'gid')], { path });
  },
  utimes(path, atime, mtime) {
    path = utils.toPath(path);
    return call('utimes', [path, utils.toTime(atime, 'time'), utils.toTime(mtime, 'time')], { path, syscall: 'utime' });
  },
  futimes: (fd, atime, mtime) =>
    call('futimes', [utils.toFd(fd), utils.toTime(atime, 'atime'), utils.toTime(mtime, 'mtime')], { syscall: 'futime' }),
  lutimes(path, atime, mtime) {
    path = utils.toPath(path);
    return call('lutimes', [path, utils.toTime(atime, 'time'), utils.toTime(mtime, 'time')], { path, syscall: 'lutime' });
  },
  fsync: (fd) => call('fsync', [utils.toFd(fd)]),
  fdatasync: (fd) => call('fdatasync', [utils.toFd(fd)]),
  ftruncate(fd, length = 0) {
    utils.toFd(fd);
    utils.validateInteger(length, 'len');
    return call('ftruncate', [fd, Math.max(0, length)]);
  },
  stat(path, options) {
    path = utils.toPath(path);
    return call('stat', [path], { path, map: (numbers) => toStats(numbers, options?.bigint) });
  },
  lstat(path, options) {
    path = utils.toPath(path);
    return call('lstat', [path], { path, map: (numbers) => toStats(numbers, options?.bigint) });
  },
  fstat: (fd, options) => call('fstat', [utils.toFd(fd)], { map: (numbers) => toStats(numbers, options?.bigint) }),
  statfs(path, options) {
    path = utils.toPath(path);
    return call('statfs', [path], { path, map: (numbers) => toStatFs(numbers, options?.bigint) });
  },
  link(path, dest) {
    path = utils.toPath(path, 'existingPath');
    dest = utils.toPath(dest, 'newPath');
    return call('link', [path, dest], { path, dest });
  },
  symlink(target, path, type) {
    if (type != null && !['dir', 'file', 'junction'].includes(type)) throw new codes.ERR_FS_INVALID_SYMLINK_TYPE(type);
    target = utils.toPath(target, 'target');
    path = utils.toPath(path);
    return call('symlink', [target, path], { path: target, dest: path });
  },
  readlink(path, options) {
    const { encoding } = utils.toOptions(options);
    path = utils.toPath(path, 'oldPath');
    return call('readlink', [path, encoding === 'buffer'], { path, map: (name) => utils.fromName(name, encoding) });
  },
  realpath(path, options) {
    const { encoding } = utils.toOptions(options);
    path = utils.toPath(path);
    return call('realpath', [path, encoding === 'buffer'], { path, map: (name) => utils.fromName(name, encoding) });
  },
  rename(path, dest) {
    path = utils.toPath(path, 'oldPath');
    dest = utils.toPath(dest, 'newPath');
    return call('rename', [path, dest], { path, dest });
  },
  unlink(path) {
    path = utils.toPath(path);
    return call('unlink', [path], { path });
  },
  mkdir(path, options) {
    // The options can be a mode alone.
    const isMode = typeof options === 'number' || typeof options === 'string';
    const { recursive = false, mode: givenMode } = (isMode ? { mode: options } : options) || {};
    validateBoolean(recursive, 'options.recursive');
    path = utils.toPath(path);
    const mode = utils.toMode(givenMode, typeof options === 'object' ? 'options.mode' : 'mode', 0o777);
    if (!recursive) return call('mkdir', [path, mode], { path });
    // The result is the absolute path of the first directory created. Symbolic links and `..` are resolved
    // by the system.
    const map = (first) => (first == null ? undefined : require('path').resolve(first));
    return call('mkdirp', [path, mode], { path, syscall: 'mkdir', map });
  },
  rmdir(path) {
    path = utils.toPath(path);
    return call('rmdir', [path], { path });
  },
  mkdtemp(prefix, options) {
    const { encoding } = utils.toOptions(options);
    prefix = utils.toPath(prefix, 'prefix');
    if ((typeof prefix === 'string' ? prefix : Buffer.from(prefix).toString()).endsWith('X')) warnOfTemplate();
    const template = typeof prefix === 'string' ? `${prefix}XXXXXX` : Buffer.concat([prefix, Buffer.from('XXXXXX')]);
    return call('mkdtemp', [template, encoding === 'buffer'], { path: template, map: (name) => utils.fromName(name, encoding) });
  },
  copyFile(path, dest, mode) {
    path = utils.toPath(path, 'src');
    dest = utils.toPath(dest, 'dest');
    mode = utils.toAccess(mode);
    return call('copyFile', [path, dest, mode], { path, dest, syscall: 'copyfile' });
  },
  readdir(path, options) {
    const { encoding, withFileTypes } = utils.toOptions(options);
    path = utils.toPath(path);
    const map = (list) => entriesOf(list, path, encoding, withFileTypes);
    return call('readdir', [path, !utils.isUtf8(encoding)], { path, syscall: 'scandir', map });
  },
  opendir(path, options) {
    const { encoding } = utils.toOptions(options, { encoding: 'utf8' });
    if (options?.bufferSize !== undefined) utils.validateInteger(options.bufferSize, 'options.bufferSize', 1, 4294967295);
    path = utils.toPath(path);
    const map = (list) => {
      const { Dir } = require('internal/fs/dir');
      return new Dir(path, entriesOf(list, path, encoding, true), options);
    };
    return call('opendir', [path, !utils.isUtf8(encoding)], { path, map });
  },
};

let hasWarned = false;

function warnOfTemplate() {
  if (hasWarned) return;
  hasWarned = true;
  process.emitWarning('mkdtemp() templates ending with X are not portable. ' +
    'For details see: https://nodejs.org/api/fs.html');
}

// `list` alternates between names and types.
function entriesOf(list, path, encoding, withFileTypes) {
  const entries = [];
  for (let i = 0; i < list.length; i += 2) {
    const name = utils.fromName(list[i], encoding);
    entries.push(withFileTypes ? toDirent(name, list[i + 1], path) : name);
  }
  return entries;
}

// `bare` leaves the stack without frames: a callback of the loop has none of the script's.
function toError(errno, { syscall, path, dest }, bare) {
  const text = (value) => (value instanceof Uint8Array ? require('buffer').Buffer.from(value).toString() : value);
  return uvException({ errno, syscall, path: text(path), dest: text(dest), bare });
}

function runSync(op) {
  let value;
  try {
    value = native[op.name](...op.args);
  } catch (thrown) {
    if (typeof thrown !== 'number') throw thrown;
    throw toError(thrown, op);
  }
  return op.map(value);
}

function runAsync(op, callback) {
  native[op.name](...op.args, (errno, value) => {
    if (errno !== 0) {
      callback(toError(errno, op, true));
      return;
    }
    let result;
    try {
      result = op.map(value);
    } catch (err) {
      callback(typeof err === 'number' ? toError(err, op) : err);
      return;
    }
    if (result === undefined) callback(null);
    else callback(null, result);
  });
}

function runPromise(op) {
  return new Promise((resolve, reject) => {
    native[op.name](...op.args, (errno, value) => {
      if (errno !== 0) reject(toError(errno, op, true));
      else resolve(op.map(value));
    });
  });
}

// Operations of several calls are generators that yield calls. These run one: they resume it with the
// result of each call, or throw its error into it.
function runStepsSync(steps) {
  let step = steps.next();
  while (!step.done) {
    let result;
    try {
      result = runSync(step.value);
    } catch (err) {
      step = steps.throw(err);
      continue;
    }
    step = steps.next(result);
  }
  return step.value;
}

async function runSteps(steps) {
  let step = steps.next();
  while (!step.done) {
    let result;
    try {
      result = await runPromise(step.value);
    } catch (err) {
      step = steps.throw(err);
      continue;
    }
    step = steps.next(result);
  }
  return step.value;
}

// Each step is a tick, and an error is passed on at once.
function runStepsInTicks(steps, callback) {
  function resume(value) {
    let step;
    try {
      step = steps.next(value);
    } catch (err) {
      callback(err);
      return;
    }
    if (step.done) callback(null, step.value);
    else runAsync(step.value, (err, result) => (err ? callback(err) : process.nextTick(resume, result)));
  }
  process.nextTick(resume);
}

// The number of arguments before the callback, and how many of them are required.
const arity = {
  open: [3, 1],
  close: [1, 1],
  access: [2, 1],
  chmod: [2, 2],
  fchmod: [2, 2],
  chown: [3, 3],
  fchown: [3, 3],
  lchown: [3, 3],
  utimes: [3, 3],
  futimes: [3, 3],
  lutimes: [3, 3],
  fsync: [1, 1],
  fdatasync: [1, 1],
  ftruncate: [2, 1],
  stat: [2, 1],
  lstat: [2, 1],
  fstat: [2, 1],
  statfs: [2, 1],
  link: [2, 2],
  symlink: [3, 2],
  readlink: [2, 1],
  rename: [2, 2],
  unlink: [1, 1],
  mkdir: [2, 1],
  rmdir: [2, 1],
  mkdtemp: [2, 1],
  copyFile: [3, 2],
  readdir: [2, 1],
  opendir: [2, 1],
};

// Functions whose optional arguments are not counted in their length.
const SHORT = new Set(['close', 'fstat', 'ftruncate', 'lstat', 'stat', 'statfs']);
const withLength = (fn, name, length) =>
  Object.defineProperty(fn, 'length', { value: SHORT.has(name) ? 1 : length, configurable: true });

const ARGUMENTS_FIRST = new Set(['fchmod', 'fchown', 'fdatasync', 'fsync', 'ftruncate', 'futimes']);

// The callback form. The callback is the last argument; it comes earlier if options are left out.
function callbackForm(name) {
  const [most, least] = arity[name];
  const form = {
    [name](...args) {
      let at = most;
      while (at > least && typeof args[at] !== 'function') at--;
      const callback = typeof args[at] === 'function' ? args[at] : args[most];
      const op = name === 'close' && callback === undefined ? ops[name](args[0]) : undefined;
      if (op) {
        runAsync(op, (err) => {
          if (err) throw err;
        });
        return;
      }
      // Node checks the arguments of these before the callback.
      const isFound = typeof args[at] === 'function';
      const checked = ARGUMENTS_FIRST.has(name) ? ops[name](...args.slice(0, isFound ? at : most)) : undefined;
      if (!isFound) utils.checkCallback(callback, name === 'opendir' ? 'callback' : 'cb');
      runAsync(checked ?? ops[name](...args.slice(0, at)), callback);
    },
  }[name];
  return withLength(form, name, most + 1);
}

function syncForm(name) {
  const form = { [`${name}Sync`]: (...args) => runSync(ops[name](...args)) }[`${name}Sync`];
  return withLength(form, name, arity[name][0]);
}

module.exports = {
  arity, call, callbackForm, ops, runAsync, runPromise, runSteps, runStepsInTicks, runStepsSync, runSync, syncForm,
};
