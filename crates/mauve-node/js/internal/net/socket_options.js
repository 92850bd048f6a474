// What can be set on a connection: whether small writes wait for company, and whether the system asks
// now and then if the peer is still there. A tuning is a record that is never changed, so that all
// sockets of a server can have the same one.

const { validateNumber } = require('internal/validators');

const kTuning = Symbol('tuning');

const UNTUNED = { noDelay: false, keepAlive: false, seconds: 0 };

// The delay that was asked for, in milliseconds.
function checkedDelay({ keepAliveInitialDelay: delay }) {
  if (delay === undefined) return 0;
  validateNumber(delay, 'options.keepAliveInitialDelay');
  return Math.max(delay, 0);
}

function wholeSeconds(msecs) {
  return ~~(msecs / 1000);
}

function tuningOf({ noDelay, keepAlive }, delay) {
  if (!noDelay && !keepAlive && !delay) return UNTUNED;
  return { noDelay: !!noDelay, keepAlive: !!keepAlive, seconds: wholeSeconds(delay) };
}

// Has a handle do what the tuning says. Local sockets know nothing of this.
function tune(handle, { noDelay, keepAlive, seconds }) {
  if (noDelay) handle.setNoDelay?.(true);
  if (keepAlive) handle.setKeepAlive?.(true, seconds);
}

// Before there is a handle a wish is only noted; later it must be one that the handle can fulfil and
// that changes something.
function retune(socket, method, change, isNews, ...values) {
  const handle = socket._handle;
  if (!handle || (handle[method] && isNews)) {
    socket[kTuning] = { ...socket[kTuning], ...change };
    handle?.[method](...values);
  }
  return socket;
}

const methods = {
  setNoDelay(enable = true) {
    const noDelay = !!enable;
    const isNews = noDelay !== this[kTuning].noDelay;
    return retune(this, 'setNoDelay', { noDelay }, isNews, noDelay);
  },

  setKeepAlive(enable, initialDelay) {
    const keepAlive = !!enable;
    const seconds = wholeSeconds(initialDelay);
    const now = this[kTuning];
    const isNews = keepAlive !== now.keepAlive || (keepAlive && seconds !== now.seconds);
    return retune(this, 'setKeepAlive', { keepAlive, seconds }, isNews, keepAlive, seconds);
  },
};

module.exports = { checkedDelay, kTuning, methods, tune, tuningOf, wholeSeconds };
