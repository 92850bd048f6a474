// process.nextTick and queueMicrotask.

const { nextTick } = binding('timers');

exports.nextTick = function nextTickChecked(callback, ...args) {
  checkFunction(callback);
  if (process._exiting) return;
  nextTick(callback, ...args);
};
Object.defineProperty(exports.nextTick, 'name', { value: 'nextTick' });

// A microtask is a promise job. The engine ignores exceptions of jobs, so they are caught here.
const resolved = Promise.resolve();
const then = Promise.prototype.then;

exports.queueMicrotask = function queueMicrotask(callback) {
  checkFunction(callback);
  then.call(resolved, () => {
    try {
      callback();
    } catch (error) {
      require('internal/process/fatal').uncaughtException(error, false);
    }
  });
};

function checkFunction(callback) {
  if (typeof callback !== 'function') {
    const { codes } = require('internal/errors');
    throw new codes.ERR_INVALID_ARG_TYPE('callback', 'Function', callback);
  }
}
