// Every plain operation of fs, said once: how its arguments are checked, what the binding is asked,
// and what becomes of the answer. The synchronous, the callback and the promise form are made of it.

const native = binding('fs');
const { codes, uvException } = require('internal/errors');
const a = require('internal/fs/arguments');
const { toStats, toStatFs, toDirent } = require('internal/fs/stats');

const same = (value) => value;
const nothing = () => undefined;

// A call: which function of the binding, with what, and what an error is to tell.
function call(name, args, { map = nothing, path, dest, syscall = name } = {}) {
  return { name, args, map, path, dest, syscall };
}

const on = {
  open(path, flags, mode) {
    path = a.toPath(path);
    return call('open', [path, a.toFlags(flags), a.toMode(mode, 'mode', 0o666)], { path, map: same });
  },
  close: (fd) => call('close', [a.toFd(fd)]),
  access(path, mode) {
    path = a.toPath(path);
    mode = a.toAccess(mode);
    return call('access', [path, mode], { path });
  },
  chmod(path, mode) {
    path = a.toPath(path);
    return call('chmod', [path, a.toMode(mode, 'mode')], { path });
  },
  fchmod: (fd, mode) => call('fchmod', [a.toFd(fd), a.toMode(mode, 'mode')]),
  chown(path, uid, gid) {
    path = a.toPath(path);
    return call('chown', [path, a.toId(uid, 'uid'), a.toId(gid, 'gid')], { path });
  },
  fchown: (fd, uid, gid) => call('fchown', [a.toFd(fd), a.toId(uid, 'uid'), a.toId(gid, 'gid')]),
  lchown(path, uid, gid) {
    path = a.toPath(path);
    return call('lchown', [path, a.toId(uid, 'uid'), a.toId(gid, 'gid')], { path });
  },
  utimes(path, atime, mtime) {
    path = a.toPath(path);
    return call('utimes', [path, a.toTime(atime, 'time'), a.toTime(mtime, 'time')], { path, syscall: 'utime' });
  },
  futimes: (fd, atime, mtime) =>
    call('futimes', [a.toFd(fd), a.toTime(atime, 'atime'), a.toTime(mtime, 'mtime')], { syscall: 'futime' }),
  lutimes(path, atime, mtime) {
    path = a.toPath(path);
    return call('lutimes', [path, a.toTime(atime, 'time'), a.toTime(mtime, 'time')], { path, syscall: 'lutime' });
  },
  fsync: (fd) => call('fsync', [a.toFd(fd)]),
  fdatasync: (fd) => call('fdatasync', [a.toFd(fd)]),
  ftruncate(fd, length = 0) {
    a.toFd(fd);
    a.validateInteger(length, 'len');
    return call('ftruncate', [fd, Math.max(0, length)]);
  },
  stat(path, options) {
    path = a.toPath(path);
    return call('stat', [path], { path, map: (numbers) => toStats(numbers, options?.bigint) });
  },
  lstat(path, options) {
    path = a.toPath(path);
    return call('lstat', [path], { path, map: (numbers) => toStats(numbers, options?.bigint) });
  },
  fstat: (fd, options) => call('fstat', [a.toFd(fd)], { map: (numbers) => toStats(numbers, options?.bigint) }),
  statfs(path, options) {
    path = a.toPath(path);
    return call('statfs', [path], { path, map: (numbers) => toStatFs(numbers, options?.bigint) });
  },
  link(path, dest) {
    path = a.toPath(path, 'existingPath');
    dest = a.toPath(dest, 'newPath');
    return call('link', [path, dest], { path, dest });
  },
  symlink(target, path, type) {
    if (type != null && !['dir', 'file', 'junction'].includes(type)) throw new codes.ERR_FS_INVALID_SYMLINK_TYPE(type);
    target = a.toPath(target, 'target');
    path = a.toPath(path);
    return call('symlink', [target, path], { path: target, dest: path });
  },
  readlink(path, options) {
    const { encoding } = a.toOptions(options);
    path = a.toPath(path, 'oldPath');
    return call('readlink', [path, encoding === 'buffer'], { path, map: (name) => a.fromName(name, encoding) });
  },
  realpath(path, options) {
    const { encoding } = a.toOptions(options);
    path = a.toPath(path);
    return call('realpath', [path, encoding === 'buffer'], { path, map: (name) => a.fromName(name, encoding) });
  },
  rename(path, dest) {
    path = a.toPath(path, 'oldPath');
    dest = a.toPath(dest, 'newPath');
    return call('rename', [path, dest], { path, dest });
  },
  unlink(path) {
    path = a.toPath(path);
    return call('unlink', [path], { path });
  },
  mkdir(path, options) {
    let mode;
    let recursive = false;
    if (typeof options === 'number' || typeof options === 'string') {
      mode = options;
    } else if (options) {
      if (options.recursive !== undefined) {
        recursive = options.recursive;
        require('internal/validators').validateBoolean(recursive, 'options.recursive');
      }
      mode = options.mode;
    }
    path = a.toPath(path);
    mode = a.toMode(mode, typeof options === 'object' ? 'options.mode' : 'mode', 0o777);
    if (!recursive) return call('mkdir', [path, mode], { path });
    // The first directory made is told as an absolute path.
    const full = require('path').resolve(String(path));
    return call('mkdirp', [full, mode], { path, syscall: 'mkdir', map: (first) => first ?? undefined });
  },
  rmdir(path) {
    path = a.toPath(path);
    return call('rmdir', [path], { path });
  },
  mkdtemp(prefix, options) {
    const { encoding } = a.toOptions(options);
    prefix = a.toPath(prefix, 'prefix');
    const template = `${prefix}XXXXXX`;
    return call('mkdtemp', [template, encoding === 'buffer'], { path: template, map: (name) => a.fromName(name, encoding) });
  },
  copyFile(path, dest, mode) {
    path = a.toPath(path, 'src');
    dest = a.toPath(dest, 'dest');
    mode = a.toAccess(mode);
    return call('copyFile', [path, dest, mode], { path, dest, syscall: 'copyfile' });
  },
  readdir(path, options) {
    const { encoding, withFileTypes } = a.toOptions(options);
    path = a.toPath(path);
    const map = (list) => entriesOf(list, path, encoding, withFileTypes);
    return call('readdir', [path, encoding === 'buffer'], { path, syscall: 'scandir', map });
  },
  opendir(path, options) {
    const { encoding } = a.toOptions(options, { encoding: 'utf8' });
    if (options?.bufferSize !== undefined) a.validateInteger(options.bufferSize, 'options.bufferSize', 1, 4294967295);
    path = a.toPath(path);
    const map = (list) => {
      const { Dir } = require('internal/fs/dir');
      return new Dir(path, entriesOf(list, path, encoding, true), options);
    };
    return call('opendir', [path, encoding === 'buffer'], { path, map });
  },
};

// list: names and kinds in turn.
function entriesOf(list, path, encoding, withFileTypes) {
  const entries = [];
  for (let i = 0; i < list.length; i += 2) {
    const name = a.fromName(list[i], encoding);
    entries.push(withFileTypes ? toDirent(name, list[i + 1], path) : name);
  }
  return entries;
}

// bare: without the frames of the loop, of which nobody could learn anything.
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

// How many arguments come before the callback, and how many of them must be there.
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

// The callback form: the callback is the last argument, or comes earlier where options are left out.
function callbackForm(name) {
  const [most, least] = arity[name];
  const form = {
    [name](...args) {
      let at = most;
      while (at > least && typeof args[at] !== 'function') at--;
      const callback = typeof args[at] === 'function' ? args[at] : args[most];
      const op = name === 'close' && callback === undefined ? on[name](args[0]) : undefined;
      if (op) {
        runAsync(op, (err) => {
          if (err) throw err;
        });
        return;
      }
      if (typeof args[at] !== 'function') a.checkCallback(callback);
      const given = args.slice(0, at);
      runAsync(on[name](...given), callback);
    },
  }[name];
  return withLength(form, name, most + 1);
}

function syncForm(name) {
  const form = { [`${name}Sync`]: (...args) => runSync(on[name](...args)) }[`${name}Sync`];
  return withLength(form, name, arity[name][0]);
}

module.exports = { arity, call, callbackForm, entriesOf, on, runAsync, runPromise, runSync, syncForm, toError };
