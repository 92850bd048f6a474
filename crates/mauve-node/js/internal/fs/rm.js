// fs.rm: removes files and trees, and retries while they are in use.
const { systemError } = require('internal/fs/errors');
const validators = require('internal/validators');
const { Buffer } = require('buffer');
const utils = require('internal/fs/utils');
const { ops, runSteps, runStepsSync } = require('internal/fs/operations');
const SLASH = Buffer.from('/');
const RETRIED = new Set(['EBUSY', 'EMFILE', 'ENFILE', 'ENOTEMPTY', 'EPERM']);

function rmOptions(path, options) {
  path = utils.toPath(path);
  const result = { force: false, recursive: false, maxRetries: 0, retryDelay: 100, ...options };
  if (options !== undefined) validators.validateObject(options, 'options');
  validators.validateBoolean(result.force, 'options.force');
  validators.validateBoolean(result.recursive, 'options.recursive');
  validators.validateInteger(result.retryDelay, 'options.retryDelay', 0, 2147483647);
  validators.validateInteger(result.maxRetries, 'options.maxRetries', 0, 4294967295);
  return { ...result, path };
}

function* remove({ path, force, recursive }) {
  let stats;
  try {
    stats = yield ops.lstat(path);
  } catch (err) {
    if (force && err.code === 'ENOENT') return;
    throw err;
  }
  if (!stats.isDirectory()) {
    yield* ignoringMissing(ops.unlink(path));
    return;
  }
  if (!recursive) throw systemError('ERR_FS_EISDIR', 'rm', 'is a directory', path, 'EISDIR');
  yield* rimraf(path);
}

function* ignoringMissing(op) {
  try {
    yield op;
  } catch (err) {
    if (err.code !== 'ENOENT') throw err;
  }
}

function* rimraf(path) {
  let entries;
  try {
    // Names need not be UTF-8.
    entries = yield ops.readdir(path, { encoding: 'buffer', withFileTypes: true });
  } catch (err) {
    if (err.code === 'ENOENT') return;
    throw err;
  }
  for (const entry of entries) {
    const child = Buffer.concat([Buffer.from(path), SLASH, entry.name]);
    if (entry.isDirectory()) yield* rimraf(child);
    else yield* ignoringMissing(ops.unlink(child));
  }
  yield* ignoringMissing(ops.rmdir(path));
}

function rmSync(path, options) {
  const settings = rmOptions(path, options);
  for (let attempt = 0; ; attempt++) {
    try {
      runStepsSync(remove(settings));
      return;
    } catch (err) {
      if (!RETRIED.has(err.code) || attempt >= settings.maxRetries) throw err;
    }
  }
}

async function rm(path, options) {
  const settings = rmOptions(path, options);
  for (let attempt = 0; ; attempt++) {
    try {
      await runSteps(remove(settings));
      return;
    } catch (err) {
      if (!RETRIED.has(err.code) || attempt >= settings.maxRetries) throw err;
      await require('timers/promises').setTimeout(settings.retryDelay * (attempt + 1));
    }
  }
}

// rmdir with the deprecated option `recursive`.
function* rmdirRecursive(path) {
  yield ops.lstat(path);
  yield* rimraf(path);
}

module.exports = { rmdirRecursive, rm, rmOptions, rmSync };
