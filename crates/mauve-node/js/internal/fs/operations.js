// The operations of fs that are one call of the binding. Each entry of `ops` checks the arguments and
// returns the call; the synchronous, callback and promise forms all run these.
const native = binding('fs');
const { uvException } = require('internal/errors');
const { validateBoolean, validateOneOf } = require('internal/validators');
const { Buffer } = require('buffer');
const utils = require('internal/fs/utils');
const { toStats, toStatFs, toDirent } = require('internal/fs/stats');
const identity = (value) => value;
const toUndefined = () => undefined;

// A call of the binding: its function and arguments, the conversion of its result, the name in errors, and how
// many of the arguments, from the first, are paths that an error names.
function call(name, args, { map = toUndefined, syscall = name, paths = 0 } = {}) { return { name, args, map, syscall, paths }; }
const path = (name) => (value) => utils.toPath(value, name);
const id = (name) => (value) => utils.toId(value, name);
const time = (name) => (value) => utils.toTime(value, name);
const fd = (value) => utils.toFd(value);
const access = (value) => utils.toAccess(value);
const mode = (value) => utils.toMode(value, 'mode');

// Operations whose arguments are checked one by one: the checks, and the name in errors.
const TABLE = {
  access: [[path(), access]],
  chmod: [[path(), mode]],
  chown: [[path(), id('uid'), id('gid')]],
  close: [[fd]],
  copyFile: [[path('src'), path('dest'), access], 'copyfile'],
  fchmod: [[fd, mode]],
  fchown: [[fd, id('uid'), id('gid')]],
  fdatasync: [[fd]],
  fsync: [[fd]],
  futimes: [[fd, time('atime'), time('mtime')], 'futime'],
  lchown: [[path(), id('uid'), id('gid')]],
  link: [[path('existingPath'), path('newPath')]],
  lutimes: [[path(), time('time'), time('time')], 'lutime'],
  rename: [[path('oldPath'), path('newPath')]],
  rmdir: [[path()]],
  unlink: [[path()]],
  utimes: [[path(), time('time'), time('time')], 'utime'],
};
const TWO_PATHS = new Set(['copyFile', 'link', 'rename']);

const ops = {
  open(file, flags, fileMode) {
    const args = [utils.toPath(file), utils.toFlags(flags), utils.toMode(fileMode, 'mode', 0o666)];
    return call('open', args, { paths: 1, map: identity });
  },
  ftruncate(file, length = 0) {
    utils.toFd(file);
    utils.validateInteger(length, 'len');
    return call('ftruncate', [file, Math.max(0, length)]);
  },
  symlink(target, link, type) {
    validateOneOf(type, 'type', ['dir', 'file', 'junction', null, undefined]);
    return call('symlink', [utils.toPath(target, 'target'), utils.toPath(link)], { paths: 2 });
  },
  mkdir(directory, options) {
    // The options can be a mode alone.
    const isMode = typeof options === 'number' || typeof options === 'string';
    const { recursive = false, mode: givenMode } = (isMode ? { mode: options } : options) || {};
    validateBoolean(recursive, 'options.recursive');
    const name = typeof options === 'object' ? 'options.mode' : 'mode';
    const args = [utils.toPath(directory), utils.toMode(givenMode, name, 0o777)];
    if (!recursive) return call('mkdir', args, { paths: 1 });
    // The result is the absolute path of the first directory created. Symbolic links and `..` are resolved
    // by the system.
    const map = (first) => (first == null ? undefined : require('path').resolve(first));
    return call('mkdirp', args, { paths: 1, syscall: 'mkdir', map });
  },
  mkdtemp(prefix, options) {
    const { encoding } = utils.toOptions(options);
    prefix = utils.toPath(prefix, 'prefix');
    if ((typeof prefix === 'string' ? prefix : Buffer.from(prefix).toString()).endsWith('X')) warnOfTemplate();
    const template = typeof prefix === 'string' ? `${prefix}XXXXXX` : Buffer.concat([prefix, Buffer.from('XXXXXX')]);
    return call('mkdtemp', [template, encoding === 'buffer'], { paths: 1, map: (name) => utils.fromName(name, encoding) });
  },
  readdir(directory, options) {
    const { encoding, withFileTypes } = utils.toOptions(options);
    directory = utils.toPath(directory);
    const map = (list) => entriesOf(list, directory, encoding, withFileTypes);
    return call('readdir', [directory, !utils.isUtf8(encoding)], { paths: 1, syscall: 'scandir', map });
  },
  opendir(directory, options) {
    const { encoding } = utils.toOptions(options, { encoding: 'utf8' });
    if (options?.bufferSize !== undefined) utils.validateInteger(options.bufferSize, 'options.bufferSize', 1, 4294967295);
    directory = utils.toPath(directory);
    const map = (list) => {
      const { Dir } = require('internal/fs/dir');
      return new Dir(directory, entriesOf(list, directory, encoding, true), options);
    };
    return call('opendir', [directory, !utils.isUtf8(encoding)], { paths: 1, map });
  },
};
for (const [name, [checks, syscall]] of Object.entries(TABLE)) {
  const paths = TWO_PATHS.has(name) ? 2 : Number(checks[0] !== fd);
  ops[name] = (...args) => call(name, checks.map((check, index) => check(args[index])), { syscall, paths });
}
for (const [name, check, convert] of [
  ['stat', path(), toStats], ['lstat', path(), toStats], ['fstat', fd, toStats], ['statfs', path(), toStatFs],
]) {
  const paths = Number(check !== fd);
  ops[name] = (file, options) =>
    call(name, [check(file)], { paths, map: (numbers) => convert(numbers, options?.bigint) });
}
for (const [name, check] of [['readlink', path('oldPath')], ['realpath', path()]]) {
  ops[name] = (file, options) => {
    const { encoding } = utils.toOptions(options);
    return call(name, [check(file), encoding === 'buffer'], { paths: 1, map: (found) => utils.fromName(found, encoding) });
  };
}

let hasWarned = false;

function warnOfTemplate() {
  if (hasWarned) return;
  hasWarned = true;
  process.emitWarning('mkdtemp() templates ending with X are not portable. ' +
    'For details see: https://nodejs.org/api/fs.html');
}

// `list` alternates between names and types.
function entriesOf(list, directory, encoding, withFileTypes) {
  const entries = [];
  for (let i = 0; i < list.length; i += 2) {
    const name = utils.fromName(list[i], encoding);
    entries.push(withFileTypes ? toDirent(name, list[i + 1], directory) : name);
  }
  return entries;
}

// `bare` leaves the stack without frames: a callback of the loop has none of the script's.
function toError(errno, { syscall, paths, args }, bare) {
  const names = args.slice(0, paths);
  const [first, dest] = names.map((name) => (name instanceof Uint8Array ? Buffer.from(name).toString() : name));
  return uvException({ errno, syscall, path: first, dest, bare });
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
function runStepsSync(steps, run = runSync) {
  let step = steps.next();
  while (!step.done) {
    let result;
    try {
      result = run(step.value);
    } catch (err) {
      step = steps.throw(err);
      continue;
    }
    step = steps.next(result);
  }
  return step.value;
}

async function runSteps(steps, run = runPromise) {
  let step = steps.next();
  while (!step.done) {
    let result;
    try {
      result = await run(step.value);
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

// The number of arguments before the callback, and how many of them are required: all that the table checks, or as
// listed.
const WITH_OPTIONS = ['access', 'fstat', 'ftruncate', 'lstat', 'mkdir', 'mkdtemp', 'opendir', 'readdir', 'readlink',
  'rmdir', 'stat', 'statfs'];
const arity = {
  ...Object.fromEntries(Object.entries(TABLE).map(([name, [checks]]) => [name, [checks.length, checks.length]])),
  ...Object.fromEntries(WITH_OPTIONS.map((name) => [name, [2, 1]])),
  copyFile: [3, 2],
  open: [3, 1],
  symlink: [3, 2],
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
        runAsync(op, (err) => { if (err) throw err; });
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

module.exports = { arity, call, callbackForm, ops, runAsync, runPromise, runSteps, runStepsInTicks, runStepsSync, runSync, syncForm };
