// socket.setTimeout: 'timeout' after some time in which nothing was read or written.

const { codes } = require('internal/errors');
const { validateFunction, validateNumber } = require('internal/validators');
const { clearTimeout, setTimeout } = require('timers');

const kTimeout = Symbol('timeout');
const kLastWriteQueueSize = Symbol('lastWriteQueueSize');

const LONGEST = 2 ** 31 - 1;

// Checked milliseconds; what is too long is cut, with a warning.
function getTimerDuration(msecs, name) {
  validateNumber(msecs, name);
  if (msecs < 0 || !Number.isFinite(msecs)) {
    throw new codes.ERR_OUT_OF_RANGE(name, 'a non-negative finite number', msecs);
  }
  if (msecs > LONGEST) {
    process.emitWarning(`${msecs} does not fit into a 32-bit signed integer.` +
      `\nTimer duration was truncated to ${LONGEST}.`, 'TimeoutOverflowWarning');
    return LONGEST;
  }
  return msecs;
}

function setStreamTimeout(msecs, callback) {
  if (this.destroyed) return this;
  this.timeout = msecs;
  msecs = getTimerDuration(msecs, 'msecs');
  clearTimeout(this[kTimeout]);
  if (msecs === 0) {
    if (callback !== undefined) {
      validateFunction(callback, 'callback');
      this.removeListener('timeout', callback);
    }
  } else {
    this[kTimeout] = setTimeout(() => this._onTimeout(), msecs).unref();
    if (callback !== undefined) {
      validateFunction(callback, 'callback');
      this.once('timeout', callback);
    }
  }
  return this;
}

// Begins the time anew, for this stream and those it carries.
function refreshTimeout() {
  for (let stream = this; stream; stream = stream._parent) {
    if (stream[kTimeout]) stream[kTimeout].refresh();
  }
}

module.exports = { getTimerDuration, kLastWriteQueueSize, kTimeout, refreshTimeout, setStreamTimeout };
