// The module 'net': TCP and local sockets as streams.
const validate = require('internal/validators');
const observers = require('internal/async_state');
const ip = require('internal/net/ip');
const { normalizeArgs } = require('internal/net/arguments');
const { Socket } = require('internal/net/socket');
const Server = require('internal/net/server');
const { defaults } = require('internal/net/connect');

// The minimum of autoSelectFamilyAttemptTimeout, in milliseconds.
const MIN_ATTEMPT_TIMEOUT = 10;

// The options are those of the constructor of Socket and of socket.connect().
function connect(...args) {
  const normalized = normalizeArgs(args);
  const [options] = normalized;
  const socket = new Socket(options);
  observers.publish?.('net.client.socket', { socket });
  return (options.timeout ? socket.setTimeout(options.timeout) : socket).connect(normalized);
}

// Only Windows has simultaneous accepts.
function _setSimultaneousAccepts() {
  require('internal/process/warning').deprecate(
    'net._setSimultaneousAccepts() is deprecated and will be removed.', 'DEP0121');
}

module.exports = {
  ...ip,
  _setSimultaneousAccepts, Server, Socket,
  Stream: Socket,
  connect,
  createConnection: connect,
  createServer: function createServer(options, listener) { return new Server(options, listener); },
  _normalizeArgs: normalizeArgs,

  getDefaultAutoSelectFamily: () => defaults.autoSelectFamily,
  setDefaultAutoSelectFamily(value) {
    validate.validateBoolean(value, 'value');
    defaults.autoSelectFamily = value;
  },
  getDefaultAutoSelectFamilyAttemptTimeout: () => defaults.autoSelectFamilyAttemptTimeout,
  setDefaultAutoSelectFamilyAttemptTimeout(msecs) {
    validate.validateInt32(msecs, 'value', 1);
    defaults.autoSelectFamilyAttemptTimeout = Math.max(msecs, MIN_ATTEMPT_TIMEOUT);
  },
};

// Loaded on first use.
require('internal/util/getters').defineGetters(module.exports, {
  BlockList: () => require('internal/net/blocklist').BlockList,
  SocketAddress: () => require('internal/net/socketaddress').SocketAddress,
});
