// setTimeout, setInterval and setImmediate: the classes Timeout and Immediate. The Rust host has the timer
// lists and the queue of immediates.
const timers = binding('timers');
const state = require('internal/async_state');
const TIMEOUT_MAX = 2 ** 31 - 1;
const kKey = Symbol('key');
const kRefed = Symbol('refed');
const kArgs = Symbol('args');
// The record of internal/async_context, if operations are tracked.
const kRecord = Symbol('record');

// Timers that were converted to a number (Symbol.toPrimitive), by that number.
const timersById = new Map();
const kId = Symbol('asyncId');
let lastId = 0;

class Timeout {
  constructor(callback, after, args, repeats, refed) {
    this._idleTimeout = after;
    this._onTimeout = callback;
    this._repeat = repeats ? after : null;
    this._destroyed = false;
    this[kRefed] = refed;
    this[kArgs] = args;
    this[kId] = ++lastId;
    startTimer(this);
  }

  ref() { return setTimerRef(this, true); }
  unref() { return setTimerRef(this, false); }
  hasRef() { return this[kRefed]; }

  refresh() {
    if (this._onTimeout === undefined) return this;
    if (!timers.refresh(this[kKey])) {
      this._destroyed = false;
      this[kRefed] ??= true;
      startTimer(this);
    }
    return this;
  }

  close() {
    clearTimeout(this);
    return this;
  }

  [Symbol.dispose]() { clearTimeout(this); }

  [Symbol.toPrimitive]() {
    timersById.set(this[kId], this);
    return this[kId];
  }
}

function setTimerRef(timeout, on) {
  timeout[kRefed] = on;
  if (timeout._destroyed === false) timers.setRef(timeout[kKey], on);
  return timeout;
}

function startTimer(timeout) {
  const callback = state.tracker === undefined ? timeout._onTimeout : trackTimer(timeout, state.tracker);
  timeout[kKey] = timers.start(timeout, callback, timeout._idleTimeout, ...timeout[kArgs]);
  if (!timeout[kRefed]) timers.setRef(timeout[kKey], false);
}

function trackTimer(timeout, tracker) {
  const record = timeout[kRecord] ??= tracker.create('Timeout', timeout);
  return (...args) => {
    const run = timeout._repeat === null ? tracker.runLast : tracker.run;
    run(record, timeout._onTimeout, timeout, args);
  };
}

// Converts a duration to an integer from 1 to 2^31 - 1 milliseconds.
function checkedDuration(after) {
  const msecs = after * 1;
  if (msecs >= 1 && msecs <= TIMEOUT_MAX) return Math.trunc(msecs);
  if (msecs > TIMEOUT_MAX) {
    const message = `${msecs} does not fit into a 32-bit signed integer.\nTimeout duration was set to 1.`;
    process.emitWarning(message, 'TimeoutOverflowWarning');
  }
  return 1;
}

function checkCallback(callback) {
  if (typeof callback !== 'function') {
    const { codes } = require('internal/errors');
    throw new codes.ERR_INVALID_ARG_TYPE('callback', 'Function', callback);
  }
}

function setTimeout(callback, after, ...args) {
  checkCallback(callback);
  return new Timeout(callback, checkedDuration(after), args, false, true);
}

function setInterval(callback, repeat, ...args) {
  checkCallback(callback);
  return new Timeout(callback, checkedDuration(repeat), args, true, true);
}

function clearTimeout(timer) {
  if (timer instanceof Timeout) {
    timersById.delete(timer[kId]);
    if (timer._onTimeout === undefined) return;
    if (!timer._destroyed) timer._idleTimeout = -1;
    timer._destroyed = true;
    timer._onTimeout = undefined;
    timers.stop(timer[kKey]);
    state.tracker?.destroy(timer[kRecord]);
  } else if (typeof timer === 'number' || typeof timer === 'string') {
    const found = timersById.get(Number(timer));
    if (found !== undefined) clearTimeout(found);
  }
}

function clearInterval(timer) { clearTimeout(timer); }

class Immediate {
  constructor(callback, args) {
    this._onImmediate = callback;
    this[kRefed] = true;
    if (state.tracker !== undefined) callback = trackImmediate(this, callback, state.tracker);
    this[kKey] = timers.setImmediate(this, callback, ...args);
  }

  get _destroyed() { return !timers.hasImmediate(this[kKey]); }
  ref() { return setImmediateRef(this, true); }
  unref() { return setImmediateRef(this, false); }
  hasRef() { return this[kRefed] && !this._destroyed; }
  [Symbol.dispose]() { clearImmediate(this); }
}

function setImmediateRef(immediate, on) {
  if (immediate._destroyed) return immediate;
  timers.setImmediateRef(immediate[kKey], on);
  immediate[kRefed] = on;
  return immediate;
}

function trackImmediate(immediate, callback, tracker) {
  const record = immediate[kRecord] = tracker.create('Immediate', immediate);
  return (...args) => { tracker.runLast(record, callback, immediate, args); };
}

function setImmediate(callback, ...args) {
  checkCallback(callback);
  return new Immediate(callback, args);
}

function clearImmediate(immediate) {
  if (!(immediate instanceof Immediate)) return;
  timers.clearImmediate(immediate[kKey]);
  state.tracker?.destroy(immediate[kRecord]);
}

module.exports = { clearImmediate, clearInterval, clearTimeout, setImmediate, setInterval, setTimeout };

require('internal/errors').refuse(module.exports, 'timers', ['active', '_unrefActive', 'enroll', 'unenroll']);

const promisified = Symbol.for('nodejs.util.promisify.custom');
for (const name of ['setTimeout', 'setImmediate']) {
  Object.defineProperty(module.exports[name], promisified, { enumerable: true, get: () => require('timers/promises')[name] });
}
require('internal/util/getters').defineGetters(module.exports, { promises: () => require('timers/promises') });
