// cp: copies a file, a link or (with `recursive`) a tree.

const { refusal } = require('internal/fs/refusal');
const validators = require('internal/validators');
const a = require('internal/fs/arguments');
const { on, runPromise } = require('internal/fs/operations');
const { driveSync } = require('internal/fs/remove');
const paths = require('path');

function cpOptions(options) {
  if (options !== undefined) validators.validateObject(options, 'options');
  const result = {
    dereference: false,
    errorOnExist: false,
    filter: undefined,
    force: true,
    mode: 0,
    preserveTimestamps: false,
    recursive: false,
    verbatimSymlinks: false,
    ...options,
  };
  for (const name of ['dereference', 'errorOnExist', 'force', 'preserveTimestamps', 'recursive', 'verbatimSymlinks']) {
    validators.validateBoolean(result[name], `options.${name}`);
  }
  if (result.filter !== undefined) validators.validateFunction(result.filter, 'options.filter');
  if (result.mode !== undefined) validators.validateInteger(result.mode, 'options.mode', 0, 7);
  return result;
}

const refuse = (name, ...rest) => refusal(name, 'cp', ...rest);

function* lookup(op) {
  try {
    return yield op;
  } catch (err) {
    if (err.code === 'ENOENT') return null;
    throw err;
  }
}

const statOf = (path, options) => (options.dereference ? on.stat(path) : on.lstat(path));

// The filter may give a promise in the forms that wait.
function* copying(source, target, options, allowed = undefined) {
  if (options.filter && allowed === undefined) {
    const answer = options.filter(source, target);
    if (!(yield { wait: answer })) return;
  }
  const from = yield statOf(source, options);
  const to = yield* lookup(statOf(target, options));
  check(source, target, from, to, options);
  if (!to) {
    const parent = paths.dirname(target);
    if (!(yield* lookup(on.stat(parent)))) yield on.mkdir(parent, { recursive: true });
  }
  if (from.isDirectory()) yield* copyTree(source, target, from, to, options);
  else if (from.isSymbolicLink()) yield* copyLink(source, target, to, options);
  else if (from.isFile()) yield* copyOne(source, target, from, to, options);
  else throw refuse('ERR_FS_CP_UNKNOWN', `cannot copy an unknown file type: ${target}`, target, 'EINVAL');
}

function check(source, target, from, to, options) {
  if (to && from.ino === to.ino && from.dev === to.dev) {
    throw refuse('ERR_FS_CP_EINVAL', 'src and dest cannot be the same', target, 'EINVAL');
  }
  if (from.isDirectory() && to && !to.isDirectory()) {
    throw refuse('ERR_FS_CP_DIR_TO_NON_DIR', `cannot overwrite non-directory ${source} with directory ${target}`, target, 'EISDIR');
  }
  if (!from.isDirectory() && to?.isDirectory()) {
    throw refuse('ERR_FS_CP_NON_DIR_TO_DIR', `cannot overwrite directory ${target} with non-directory ${source}`, target, 'ENOTDIR');
  }
  if (from.isDirectory() && !options.recursive) {
    throw refuse('ERR_FS_EISDIR', `${source} is a directory (not copied)`, source, 'EISDIR');
  }
  const inside = `${paths.resolve(target)}${paths.sep}`.startsWith(`${paths.resolve(source)}${paths.sep}`);
  if (from.isDirectory() && inside) {
    throw refuse('ERR_FS_CP_EINVAL', `cannot copy ${source} to a subdirectory of self ${target}`, target, 'EINVAL');
  }
}

function* copyTree(source, target, from, to, options) {
  if (!to) yield on.mkdir(target);
  const names = yield on.readdir(source);
  for (const name of names) yield* copying(paths.join(source, name), paths.join(target, name), options);
  if (!to) yield on.chmod(target, from.mode & 0o7777);
}

function* copyOne(source, target, from, to, options) {
  if (to) {
    if (!options.force) {
      if (!options.errorOnExist) return;
      throw refuse('ERR_FS_CP_EEXIST', `${target} already exists`, target, 'EEXIST');
    }
    yield on.unlink(target);
  }
  yield on.copyFile(source, target, options.mode);
  if (options.preserveTimestamps) {
    const stats = yield on.stat(source);
    yield on.utimes(target, stats.atime, stats.mtime);
  }
}

function* copyLink(source, target, to, options) {
  let where = yield on.readlink(source);
  if (!options.verbatimSymlinks && !paths.isAbsolute(where)) where = paths.resolve(paths.dirname(source), where);
  if (to) yield on.unlink(target);
  yield on.symlink(where, target);
}

// Answers of the filter are waited for outside of the file system.
function* withoutWaiting(work) {
  let step = work.next();
  while (!step.done) {
    if (step.value && 'wait' in step.value) {
      step = work.next(step.value.wait);
      continue;
    }
    let result;
    try {
      result = yield step.value;
    } catch (err) {
      step = work.throw(err);
      continue;
    }
    step = work.next(result);
  }
}

function cpSync(source, target, options) {
  options = cpOptions(options);
  source = String(a.toPath(source, 'src'));
  target = String(a.toPath(target, 'dest'));
  driveSync(withoutWaiting(copying(source, target, options)));
}

async function cp(source, target, options) {
  options = cpOptions(options);
  source = String(a.toPath(source, 'src'));
  target = String(a.toPath(target, 'dest'));
  // A promise of the filter is awaited before the generator goes on.
  const work = copying(source, target, options);
  let step = work.next();
  while (!step.done) {
    let result;
    try {
      result = await ('wait' in step.value ? step.value.wait : runPromise(step.value));
    } catch (err) {
      step = work.throw(err);
      continue;
    }
    step = work.next(result);
  }
}

module.exports = { cp, cpOptions, cpSync };
