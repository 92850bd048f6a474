// setTimeout, setInterval, setImmediate. The lists and queues are the host's; here are the objects
// that scripts hold.

const timers = binding('timers');

const LONGEST = 2 ** 31 - 1;
const kKey = Symbol('key');
const kRefed = Symbol('refed');
const kArgs = Symbol('args');

// Timers that were asked for their number, by it.
const numbered = new Map();
let lastNumber = 0;

class Timeout {
  constructor(callback, after, args, repeats, refed) {
    this._idleTimeout = after;
    this._onTimeout = callback;
    this._repeat = repeats ? after : null;
    this._destroyed = false;
    this[kRefed] = refed;
    this[kArgs] = args;
    start(this);
  }

  ref() {
    this[kRefed] = true;
    if (!this._destroyed) timers.reference(this[kKey], true);
    return this;
  }

  unref() {
    this[kRefed] = false;
    if (!this._destroyed) timers.reference(this[kKey], false);
    return this;
  }

  hasRef() {
    return this[kRefed];
  }

  refresh() {
    if (this._destroyed || this._onTimeout === null) return this;
    if (!timers.refresh(this[kKey])) start(this);
    return this;
  }

  close() {
    clearTimeout(this);
    return this;
  }

  [Symbol.toPrimitive]() {
    if (this.number === undefined) {
      Object.defineProperty(this, 'number', { value: ++lastNumber, enumerable: false });
      numbered.set(this.number, this);
    }
    return this.number;
  }
}

if (Symbol.dispose) {
  Timeout.prototype[Symbol.dispose] = function dispose() { clearTimeout(this); };
}

function start(timeout) {
  timeout[kKey] = timers.start(timeout, timeout._onTimeout, timeout._idleTimeout,
    timeout._repeat !== null, ...timeout[kArgs]);
  if (!timeout[kRefed]) timers.reference(timeout[kKey], false);
}

// Milliseconds as Node takes them: whole, at least one, and not more than 31 bits.
function duration(after) {
  after *= 1;
  if (!(after >= 1 && after <= LONGEST)) {
    if (after > LONGEST) {
      process.emitWarning(`${after} does not fit into a 32-bit signed integer.` +
        '\nTimeout duration was set to 1.', 'TimeoutOverflowWarning');
    }
    after = 1;
  }
  return Math.trunc(after);
}

function checkCallback(callback) {
  if (typeof callback !== 'function') {
    const { codes } = require('internal/errors');
    throw new codes.ERR_INVALID_ARG_TYPE('callback', 'Function', callback);
  }
}

function setTimeout(callback, after, arg1, arg2, arg3) {
  checkCallback(callback);
  const args = Array.prototype.slice.call(arguments, 2);
  return new Timeout(callback, duration(after), args, false, true);
}

function setInterval(callback, repeat, arg1, arg2, arg3) {
  checkCallback(callback);
  const args = Array.prototype.slice.call(arguments, 2);
  return new Timeout(callback, duration(repeat), args, true, true);
}

function clearTimeout(timer) {
  if (timer instanceof Timeout) {
    if (timer.number !== undefined) numbered.delete(timer.number);
    if (timer._destroyed) return;
    timer._destroyed = true;
    timer._onTimeout = null;
    timers.stop(timer[kKey]);
  } else if (typeof timer === 'number' || typeof timer === 'string') {
    const found = numbered.get(Number(timer));
    if (found !== undefined) clearTimeout(found);
  }
}

function clearInterval(timer) {
  clearTimeout(timer);
}

class Immediate {
  constructor(callback, args) {
    this._onImmediate = callback;
    this[kRefed] = true;
    this[kKey] = timers.setImmediate(this, callback, ...args);
  }

  get _destroyed() {
    return !timers.hasImmediate(this[kKey]);
  }

  ref() {
    if (!this._destroyed) {
      timers.referenceImmediate(this[kKey], true);
      this[kRefed] = true;
    }
    return this;
  }

  unref() {
    if (!this._destroyed) {
      timers.referenceImmediate(this[kKey], false);
      this[kRefed] = false;
    }
    return this;
  }

  hasRef() {
    return this[kRefed] && !this._destroyed;
  }
}

if (Symbol.dispose) {
  Immediate.prototype[Symbol.dispose] = function dispose() { clearImmediate(this); };
}

function setImmediate(callback, arg1, arg2, arg3) {
  checkCallback(callback);
  const args = Array.prototype.slice.call(arguments, 1);
  return new Immediate(callback, args);
}

function clearImmediate(immediate) {
  if (immediate instanceof Immediate) timers.clearImmediate(immediate[kKey]);
}

module.exports = {
  setTimeout,
  clearTimeout,
  setImmediate,
  clearImmediate,
  setInterval,
  clearInterval,
};

const promisified = Symbol.for('nodejs.util.promisify.custom');
for (const name of ['setTimeout', 'setImmediate']) {
  Object.defineProperty(module.exports[name], promisified, {
    enumerable: true,
    get: () => require('timers/promises')[name],
  });
}
Object.defineProperty(module.exports, 'promises', {
  enumerable: true,
  configurable: true,
  get: () => require('timers/promises'),
});
