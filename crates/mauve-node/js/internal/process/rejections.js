// Promises that were rejected without a handler.
//
// The host tells of rejections when all microtasks have run. A promise may still get a handler
// later, which is told too.

const pending = [];
const told = new WeakMap();
let lastId = 0;

// `list` holds triples: promise, reason, whether it was handled after all.
exports.note = function note(list) {
  const handledLate = [];
  for (let at = 0; at < list.length; at += 3) {
    const promise = list[at];
    if (!list[at + 2]) {
      pending.push({ promise, reason: list[at + 1], id: ++lastId });
      continue;
    }
    const waits = pending.findIndex((entry) => entry.promise === promise);
    if (waits >= 0) {
      pending.splice(waits, 1);
    } else if (told.has(promise)) {
      handledLate.push(promise);
    }
  }
  for (const promise of handledLate) {
    const entry = told.get(promise);
    told.delete(promise);
    process.emit('rejectionHandled', promise);
    if (entry.warned) {
      process.emitWarning(
        `Promise rejection was handled asynchronously (rejection id: ${entry.id})`,
        'PromiseRejectionHandledWarning');
    }
  }
  while (pending.length > 0) tell(pending.shift());
};

function tell(entry) {
  told.set(entry.promise, entry);
  if (process.emit('unhandledRejection', entry.reason, entry.promise)) return;
  const { reason } = entry;
  require('internal/process/fatal').uncaught(
    reason instanceof Error ? reason : unhandled(reason), true);
}

function unhandled(reason) {
  const { inspect } = require('internal/util/inspect');
  const text = typeof reason === 'object' && reason !== null
    ? inspect(reason, { depth: -1 }) : inspect(reason).replace(/^'(.*)'$/s, '$1');
  const error = new Error('This error originated either by throwing inside of an async function ' +
    'without a catch block, or by rejecting a promise which was not handled with .catch(). The ' +
    `promise rejected with the reason "${text}".`);
  error.name = 'UnhandledPromiseRejection';
  error.code = 'ERR_UNHANDLED_REJECTION';
  return error;
}
