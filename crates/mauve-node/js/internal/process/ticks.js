// process.nextTick and queueMicrotask.
const { createNextTick, nextTick } = binding('timers');
const state = require('internal/async_state');

// The binding calls this only for an invalid callback, while callbacks are tracked, or at the exit.
exports.nextTick = createNextTick((callback, ...args) => {
  checkFunction(callback);
  if (process._exiting) return;
  if (state.tracker !== undefined) callback = state.tracker.wrapOnce('TickObject', callback, { callback, args });
  nextTick(callback, ...args);
});

// A microtask is a promise job. The engine ignores exceptions of jobs, so they are caught here.
const resolved = Promise.resolve();
const then = Promise.prototype.then;

exports.queueMicrotask = function queueMicrotask(callback) {
  checkFunction(callback);
  const job = () => {
    try {
      callback();
    } catch (error) {
      const { uncaughtException } = require('internal/process/fatal');
      if (state.tracker === undefined) {
        uncaughtException(error, false);
        return;
      }
      // The listener sees the stores of the job, but not its id.
      const { stores } = state.tracker.getCurrent();
      state.tracker.endJob();
      state.tracker.runWith(stores, uncaughtException, undefined, [error, false]);
    }
  };
  if (state.tracker === undefined) then.call(resolved, job);
  else state.tracker.queueMicrotask(job, callback);
};

function checkFunction(callback) {
  if (typeof callback !== 'function') {
    const { codes } = require('internal/errors');
    throw new codes.ERR_INVALID_ARG_TYPE('callback', 'Function', callback);
  }
}
