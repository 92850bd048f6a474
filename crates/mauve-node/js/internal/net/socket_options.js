// The socket options TCP_NODELAY and SO_KEEPALIVE. The object { noDelay, keepAlive, seconds } is never
// modified, so that all sockets of a server can share one.
const { validateNumber } = require('internal/validators');
const kSocketOptions = Symbol('socketOptions');
const DEFAULTS = { noDelay: false, keepAlive: false, seconds: 0 };

// The option keepAliveInitialDelay in milliseconds, validated.
function checkedDelay({ keepAliveInitialDelay: delay }) {
  if (delay === undefined) return 0;
  validateNumber(delay, 'options.keepAliveInitialDelay');
  return Math.max(delay, 0);
}

function wholeSeconds(msecs) { return ~~(msecs / 1000); }

function socketOptionsOf({ noDelay, keepAlive }, delay) {
  if (!noDelay && !keepAlive && !delay) return DEFAULTS;
  return { noDelay: !!noDelay, keepAlive: !!keepAlive, seconds: wholeSeconds(delay) };
}

// Sets the options on a handle. Local sockets have none.
function applyOptions(handle, { noDelay, keepAlive, seconds }) {
  if (noDelay) handle.setNoDelay?.(true);
  if (keepAlive) handle.setKeepAlive?.(true, seconds);
}

// Changes an option. Without a handle the option is only stored; with one it is set if its value changes
// and the handle supports it.
function setOption(socket, method, change, isChange, ...values) {
  const handle = socket._handle;
  if (!handle || (handle[method] && isChange)) {
    socket[kSocketOptions] = { ...socket[kSocketOptions], ...change };
    handle?.[method](...values);
  }
  return socket;
}

const methods = {
  setNoDelay(enable = true) {
    const noDelay = !!enable;
    const isChange = noDelay !== this[kSocketOptions].noDelay;
    return setOption(this, 'setNoDelay', { noDelay }, isChange, noDelay);
  },

  setKeepAlive(enable, initialDelay) {
    const keepAlive = !!enable;
    const seconds = wholeSeconds(initialDelay);
    const current = this[kSocketOptions];
    const isChange = keepAlive !== current.keepAlive || (keepAlive && seconds !== current.seconds);
    return setOption(this, 'setKeepAlive', { keepAlive, seconds }, isChange, keepAlive, seconds);
  },
};

module.exports = { applyOptions, checkedDelay, kSocketOptions, methods, socketOptionsOf, wholeSeconds };
