// Unhandled promise rejections.
//
// The host passes the rejections to processRejections() after all microtasks have run. It also reports
// promises that get a handler later.
const pending = [];
const reported = new WeakMap();
let lastId = 0;

// `list` is [promise, reason, handled, promise, reason, handled, ...]. `handled` is true for a promise that
// got its handler after it was rejected.
exports.processRejections = function processRejections(list) {
  const handledLate = [];
  for (let at = 0; at < list.length; at += 3) {
    const promise = list[at];
    if (!list[at + 2]) {
      pending.push({ promise, reason: list[at + 1], id: ++lastId });
      continue;
    }
    const index = pending.findIndex((entry) => entry.promise === promise);
    if (index >= 0) {
      pending.splice(index, 1);
    } else if (reported.has(promise)) {
      handledLate.push(promise);
    }
  }
  for (const promise of handledLate) {
    const entry = reported.get(promise);
    reported.delete(promise);
    process.emit('rejectionHandled', promise);
    if (entry.warned) {
      process.emitWarning(
        `Promise rejection was handled asynchronously (rejection id: ${entry.id})`,
        'PromiseRejectionHandledWarning');
    }
  }
  while (pending.length > 0) reportUnhandled(pending.shift());
};

// Reports it in the asynchronous context of the promise.
function reportUnhandled(entry) {
  reported.set(entry.promise, entry);
  const { tracker } = require('internal/async_state');
  const record = tracker?.recordOf(entry.promise);
  if (record === undefined) report(entry);
  else tracker.runScope(record, report, undefined, [entry]);
}

function report(entry) {
  const { promise, reason } = entry;
  const mode = require('internal/options').get('--unhandled-rejections') ?? 'throw';
  if (mode === 'strict') raise(reason);
  const isHandled = process.emit('unhandledRejection', reason, promise);
  if (mode === 'warn' || (mode === 'strict' && !isHandled)) warn(entry);
  if (isHandled || mode === 'none' || mode === 'warn' || mode === 'strict') return;
  if (mode === 'throw') {
    raise(reason);
  } else {
    warn(entry);
    process.exitCode = 1;
  }
}

function raise(reason) {
  require('internal/process/fatal').uncaughtException(
    reason instanceof Error ? reason : unhandledError(reason), true);
}

function warn(entry) {
  entry.warned = true;
  const { reason, id } = entry;
  if (reason instanceof Error) process.emitWarning(reason.stack ?? String(reason), 'UnhandledPromiseRejectionWarning');
  else process.emitWarning(describe(reason), 'UnhandledPromiseRejectionWarning');
  process.emitWarning('Unhandled promise rejection. This error originated either by throwing inside of an async ' +
    'function without a catch block, or by rejecting a promise which was not handled with .catch(). To terminate ' +
    'the node process on unhandled promise rejection, use the CLI flag `--unhandled-rejections=strict` (see ' +
    `https://nodejs.org/api/cli.html#cli_unhandled_rejections_mode). (rejection id: ${id})`,
  'UnhandledPromiseRejectionWarning');
}

function describe(reason) {
  const { inspect } = require('internal/util/inspect');
  return typeof reason === 'object' && reason !== null
    ? inspect(reason, { depth: -1 }) : inspect(reason).replace(/^'(.*)'$/s, '$1');
}

function unhandledError(reason) {
  const error = new Error('This error originated either by throwing inside of an async function ' +
    'without a catch block, or by rejecting a promise which was not handled with .catch(). The ' +
    `promise rejected with the reason "${describe(reason)}".`);
  error.name = 'UnhandledPromiseRejection';
  error.code = 'ERR_UNHANDLED_REJECTION';
  return error;
}
