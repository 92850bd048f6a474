// socket.setTimeout(): an idle timer. Every read and write restarts it; when it expires, 'timeout' is
// emitted.
const { codes } = require('internal/errors');
const { validateFunction, validateNumber } = require('internal/validators');
const timers = require('timers');

// The size of the handle's write queue at the last check; 0 if no write is pending.
const kLastWriteQueueSize = Symbol('lastWriteQueueSize');

// The maximum of a timer, in milliseconds.
const TIMEOUT_MAX = 0x7fffffff;

// Validates a duration. One above the maximum is truncated with a warning.
function getTimerDuration(value, label) {
  validateNumber(value, label);
  const isValid = value >= 0 && value < Infinity;
  if (!isValid) throw new codes.ERR_OUT_OF_RANGE(label, 'a non-negative finite number', value);
  if (value <= TIMEOUT_MAX) return value;
  const warning = [
    `${value} does not fit into a 32-bit signed integer.`,
    `Timer duration was truncated to ${TIMEOUT_MAX}.`,
  ].join('\n');
  process.emitWarning(warning, 'TimeoutOverflowWarning');
  return TIMEOUT_MAX;
}

function refreshTimer(socket) { socket._idleTimer?.refresh(); }

function clearTimer(socket) {
  if (socket._idleTimer === null) return;
  timers.clearTimeout(socket._idleTimer);
  socket._idleTimer = null;
}

function onTimer(socket) { socket._onTimeout(); }

// Methods of net.Socket.
const methods = {
  // The active timer.
  _idleTimer: null,

  setTimeout(msecs, callback) {
    if (this.destroyed) return this;
    this.timeout = msecs;
    const time = getTimerDuration(msecs, 'msecs');
    const isEnabled = time !== 0;
    clearTimer(this);
    if (isEnabled) this._idleTimer = timers.setTimeout(onTimer, time, this).unref();
    if (callback === undefined) return this;
    validateFunction(callback, 'callback');
    return isEnabled ? this.once('timeout', callback) : this.off('timeout', callback);
  },

  _onTimeout() {
    const before = this[kLastWriteQueueSize];
    const left = before > 0 && this._handle ? this._handle.writeQueueSize : before;
    if (left === before) {
      this.emit('timeout');
    } else {
      // The write queue is shrinking, so the connection is not idle.
      this[kLastWriteQueueSize] = left;
      refreshTimer(this);
    }
  },
};

module.exports = { clearTimer, getTimerDuration, kLastWriteQueueSize, methods, refreshTimer };
