// Silence on a socket. A socket that was given a time has an alarm; every sign of life winds it up
// again, and when it rings 'timeout' is emitted.

const { codes } = require('internal/errors');
const { validateFunction, validateNumber } = require('internal/validators');
const timers = require('timers');

// The alarm that runs, or null.
const kAlarm = Symbol('alarm');
// How many bytes were left in the queue when somebody last looked; 0 if nothing waits there.
const kBacklog = Symbol('backlog');

// The longest time that a timer can be set to.
const LIMIT = 0x7fffffff;

// A time as a timer can take it. One that is too long is cut, and the script is told.
function milliseconds(value, label) {
  validateNumber(value, label);
  const isTime = value >= 0 && value < Infinity;
  if (!isTime) throw new codes.ERR_OUT_OF_RANGE(label, 'a non-negative finite number', value);
  if (value <= LIMIT) return value;
  const complaint = [
    `${value} does not fit into a 32-bit signed integer.`,
    `Timer duration was truncated to ${LIMIT}.`,
  ].join('\n');
  process.emitWarning(complaint, 'TimeoutOverflowWarning');
  return LIMIT;
}

function touch(socket) {
  socket[kAlarm]?.refresh();
}

function disarm(socket) {
  if (socket[kAlarm] === null) return;
  timers.clearTimeout(socket[kAlarm]);
  socket[kAlarm] = null;
}

function ring(socket) {
  socket._onTimeout();
}

// What sockets get of this.
const methods = {
  setTimeout(msecs, callback) {
    if (this.destroyed) return this;
    this.timeout = msecs;
    const time = milliseconds(msecs, 'msecs');
    const isWanted = time !== 0;
    disarm(this);
    if (isWanted) this[kAlarm] = timers.setTimeout(ring, time, this).unref();
    if (callback === undefined) return this;
    validateFunction(callback, 'callback');
    return isWanted ? this.once('timeout', callback) : this.off('timeout', callback);
  },

  _onTimeout() {
    const before = this[kBacklog];
    const left = before > 0 && this._handle ? this._handle.writeQueueSize : before;
    if (left === before) {
      this.emit('timeout');
    } else {
      // The peer takes what was written, if slowly: that is no silence.
      this[kBacklog] = left;
      touch(this);
    }
  },
};

module.exports = { disarm, kAlarm, kBacklog, methods, milliseconds, touch };
