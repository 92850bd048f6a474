// fs.cp: copies a file, a symbolic link or, with `recursive`, a tree.
const { codes } = require('internal/errors');
const { systemError } = require('internal/fs/errors');
const validators = require('internal/validators');
const utils = require('internal/fs/utils');
const { ops, runPromise, runSteps, runStepsSync, runSync } = require('internal/fs/operations');
const paths = require('path');
const types = require('internal/util/types');

// The boolean options and their defaults.
const FLAGS = { dereference: false, errorOnExist: false, force: true, preserveTimestamps: false, recursive: false, verbatimSymlinks: false };

function cpOptions(options) {
  if (options !== undefined) validators.validateObject(options, 'options');
  const result = { ...FLAGS, filter: undefined, mode: 0, ...options };
  for (const name in FLAGS) validators.validateBoolean(result[name], `options.${name}`);
  if (result.filter !== undefined) validators.validateFunction(result.filter, 'options.filter');
  if (result.mode !== undefined) validators.validateInteger(result.mode, 'options.mode', 0, 7);
  if (result.dereference && result.verbatimSymlinks) throw new codes.ERR_INCOMPATIBLE_OPTION_PAIR('dereference', 'verbatimSymlinks');
  return result;
}

const cpError = (name, ...rest) => systemError(name, 'cp', ...rest);

function* lookup(op) {
  try {
    return yield op;
  } catch (err) {
    if (err.code === 'ENOENT') return null;
    throw err;
  }
}

const statOf = (path, options) => (options.dereference ? ops.stat(path) : ops.lstat(path));

// Yields calls for runSteps, and `{ wait }` for the result of the filter, which is a promise in the
// asynchronous form.
function* copy(source, target, options, allowed = undefined) {
  if (options.filter && allowed === undefined) {
    const isIncluded = options.filter(source, target);
    if (!(yield { wait: isIncluded })) return;
  }
  const from = yield statOf(source, options);
  const to = yield* lookup(statOf(target, options));
  if (from.isDirectory()) yield* checkParents(source, target, from);
  check(source, target, from, to, options);
  if (!to) {
    const parent = paths.dirname(target);
    if (!(yield* lookup(ops.stat(parent)))) yield ops.mkdir(parent, { recursive: true });
  }
  if (from.isDirectory()) yield* copyTree(source, target, from, to, options);
  else if (from.isSymbolicLink()) yield* copyLink(source, target, to, options);
  else if (from.isFile()) yield* copyOne(source, target, from, to, options);
  else if (from.isSocket()) throw cpError('ERR_FS_CP_SOCKET', `cannot copy a socket file: ${target}`, target, 'EINVAL');
  else if (from.isFIFO()) throw cpError('ERR_FS_CP_FIFO_PIPE', `cannot copy a FIFO pipe: ${target}`, target, 'EINVAL');
  else throw cpError('ERR_FS_CP_UNKNOWN', `cannot copy an unknown file type: ${target}`, target, 'EINVAL');
}

// The target must not be inside the source through a link.
function* checkParents(source, target, from) {
  for (let at = paths.dirname(paths.resolve(target)); at !== paths.dirname(at); at = paths.dirname(at)) {
    const stats = yield* lookup(ops.stat(at));
    if (stats?.ino === from.ino && stats.dev === from.dev) {
      throw cpError('ERR_FS_CP_EINVAL', `cannot copy ${source} to a subdirectory of self ${target}`, target, 'EINVAL');
    }
  }
}

function check(source, target, from, to, options) {
  if (to && from.ino === to.ino && from.dev === to.dev) throw cpError('ERR_FS_CP_EINVAL', 'src and dest cannot be the same', target, 'EINVAL');
  if (from.isDirectory() && to && !to.isDirectory()) {
    throw cpError('ERR_FS_CP_DIR_TO_NON_DIR', `cannot overwrite non-directory ${source} with directory ${target}`, target, 'EISDIR');
  }
  if (!from.isDirectory() && to?.isDirectory()) {
    throw cpError('ERR_FS_CP_NON_DIR_TO_DIR', `cannot overwrite directory ${target} with non-directory ${source}`, target, 'ENOTDIR');
  }
  if (from.isDirectory() && !options.recursive) throw cpError('ERR_FS_EISDIR', `${source} is a directory (not copied)`, source, 'EISDIR');
}

function* copyTree(source, target, from, to, options) {
  if (!to) yield ops.mkdir(target);
  const names = yield ops.readdir(source);
  for (const name of names) yield* copy(paths.join(source, name), paths.join(target, name), options);
  if (!to) yield ops.chmod(target, from.mode & 0o7777);
}

function* copyOne(source, target, from, to, options) {
  if (to) {
    if (!options.force) {
      if (!options.errorOnExist) return;
      throw cpError('ERR_FS_CP_EEXIST', `${target} already exists`, target, 'EEXIST');
    }
    yield ops.unlink(target);
  }
  yield ops.copyFile(source, target, options.mode);
  if (options.preserveTimestamps) {
    const stats = yield ops.stat(source);
    yield ops.utimes(target, stats.atime, stats.mtime);
  }
}

function* copyLink(source, target, to, options) {
  let link = yield ops.readlink(source);
  if (!options.verbatimSymlinks && !paths.isAbsolute(link)) link = paths.resolve(paths.dirname(source), link);
  if (to && (yield* checkLink(source, link, target))) yield ops.unlink(target);
  yield ops.symlink(link, target);
}

// Returns whether the target is a link. It must not be replaced by one to a directory that contains its
// target, or the reverse.
function* checkLink(source, link, target) {
  let existing;
  try {
    existing = paths.resolve(paths.dirname(target), yield ops.readlink(target));
  } catch (err) {
    if (err.code === 'EINVAL') return false;
    throw err;
  }
  const linked = paths.resolve(paths.dirname(source), link);
  const contains = (outer, inner) => `${inner}${paths.sep}`.startsWith(`${outer}${paths.sep}`);
  const isDirectory = (yield* lookup(ops.stat(source)))?.isDirectory();
  if (isDirectory && contains(linked, existing)) {
    throw cpError('ERR_FS_CP_EINVAL', `cannot copy ${linked} to a subdirectory of self ${existing}`, target, 'EINVAL');
  }
  if ((yield* lookup(ops.stat(target)))?.isDirectory() && contains(existing, linked)) {
    throw cpError('ERR_FS_CP_SYMLINK_TO_SUBDIRECTORY', `cannot overwrite ${existing} with ${linked}`, target, 'EINVAL');
  }
  return true;
}

function copyArguments(source, target, options) {
  options = cpOptions(options);
  return [String(utils.toPath(source, 'src')), String(utils.toPath(target, 'dest')), options];
}

function cpSync(...args) {
  try {
    runStepsSync(copy(...copyArguments(...args)), (step) => {
      if (!('wait' in step)) return runSync(step);
      if (types.isPromise(step.wait)) throw new codes.ERR_INVALID_RETURN_VALUE('boolean', 'filter', step.wait);
      return step.wait;
    });
  } catch (err) {
    throw plainError(err, args);
  }
}

// The synchronous form reports an invalid pair of paths with other errors.
function plainError(err, [source, target]) {
  const text = {
    ERR_FS_EISDIR: `Recursive option not enabled, cannot copy a directory: ${source}/`,
    ERR_FS_CP_EINVAL: /same/.test(err.message) ? `src and dest cannot be the same ${target}` :
      `Cannot copy ${source}/ to a subdirectory of self ${target}`,
    ERR_FS_CP_DIR_TO_NON_DIR: `Cannot overwrite non-directory ${target} with directory ${source}`,
    ERR_FS_CP_NON_DIR_TO_DIR: `Cannot overwrite directory ${target} with non-directory ${source}`,
  }[err.code];
  return text === undefined ? err : Object.assign(new Error(text), { code: err.code });
}

// Invalid arguments throw.
function cp(...args) { return runSteps(copy(...copyArguments(...args)), (step) => ('wait' in step ? step.wait : runPromise(step))); }

module.exports = { cp, cpOptions, cpSync };
