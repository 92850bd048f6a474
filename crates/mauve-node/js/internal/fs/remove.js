// rm: files and whole trees, with patience for those that are in use.

const { refusal } = require('internal/fs/refusal');
const validators = require('internal/validators');
const a = require('internal/fs/arguments');
const { on, runPromise, runSync } = require('internal/fs/operations');

const PATIENT = new Set(['EBUSY', 'EMFILE', 'ENFILE', 'ENOTEMPTY', 'EPERM']);

function rmOptions(path, options) {
  path = a.toPath(path);
  const result = { force: false, recursive: false, maxRetries: 0, retryDelay: 100, ...options };
  if (options !== undefined) validators.validateObject(options, 'options');
  validators.validateBoolean(result.force, 'options.force');
  validators.validateBoolean(result.recursive, 'options.recursive');
  validators.validateInteger(result.retryDelay, 'options.retryDelay', 0, 2147483647);
  validators.validateInteger(result.maxRetries, 'options.maxRetries', 0, 4294967295);
  return { ...result, path };
}

// The work is said once, as a generator that yields operations; whoever drives it runs them, waiting or
// not, and gives back their results or throws in their errors.
function* removal({ path, force, recursive }) {
  let stats;
  try {
    stats = yield on.lstat(path);
  } catch (err) {
    if (force && err.code === 'ENOENT') return;
    throw err;
  }
  if (!stats.isDirectory()) {
    yield* ignoringMissing(on.unlink(path));
    return;
  }
  if (!recursive) throw refusal('ERR_FS_EISDIR', 'rm', 'is a directory', path, 'EISDIR');
  yield* removeTree(path);
}

function* ignoringMissing(op) {
  try {
    yield op;
  } catch (err) {
    if (err.code !== 'ENOENT') throw err;
  }
}

function* removeTree(path) {
  const { join } = require('path');
  let entries;
  try {
    entries = yield on.readdir(path, { withFileTypes: true });
  } catch (err) {
    if (err.code === 'ENOENT') return;
    throw err;
  }
  for (const entry of entries) {
    const child = join(String(path), entry.name);
    if (entry.isDirectory()) yield* removeTree(child);
    else yield* ignoringMissing(on.unlink(child));
  }
  yield* ignoringMissing(on.rmdir(path));
}

function driveSync(work) {
  let step = work.next();
  while (!step.done) {
    let result;
    try {
      result = runSync(step.value);
    } catch (err) {
      step = work.throw(err);
      continue;
    }
    step = work.next(result);
  }
  return step.value;
}

async function drive(work) {
  let step = work.next();
  while (!step.done) {
    let result;
    try {
      result = await runPromise(step.value);
    } catch (err) {
      step = work.throw(err);
      continue;
    }
    step = work.next(result);
  }
  return step.value;
}

function rmSync(path, options) {
  const settings = rmOptions(path, options);
  for (let attempt = 0; ; attempt++) {
    try {
      driveSync(removal(settings));
      return;
    } catch (err) {
      if (!PATIENT.has(err.code) || attempt >= settings.maxRetries) throw err;
    }
  }
}

async function rm(path, options) {
  const settings = rmOptions(path, options);
  for (let attempt = 0; ; attempt++) {
    try {
      await drive(removal(settings));
      return;
    } catch (err) {
      if (!PATIENT.has(err.code) || attempt >= settings.maxRetries) throw err;
      await require('timers/promises').setTimeout(settings.retryDelay * (attempt + 1));
    }
  }
}

// rmdir with `recursive`, an older spelling of rm.
function* oldRecursiveRmdir(path) {
  yield on.lstat(path);
  yield* removeTree(path);
}

module.exports = { drive, driveSync, oldRecursiveRmdir, rm, rmOptions, rmSync };
