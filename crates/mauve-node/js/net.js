// The module 'net': TCP and local sockets as streams.

const { validateBoolean, validateInt32 } = require('internal/validators');
const { isIP, isIPv4, isIPv6 } = require('internal/net/ip');
const { normalizeArgs } = require('internal/net/arguments');
const { Socket } = require('internal/net/socket');
const Server = require('internal/net/server');
const { defaults } = require('internal/net/connect');

function connect(...args) {
  const normalized = normalizeArgs(args);
  const [options] = normalized;
  const socket = new Socket(options);
  if (options.timeout) socket.setTimeout(options.timeout);
  return socket.connect(normalized);
}

function createServer(options, connectionListener) {
  return new Server(options, connectionListener);
}

module.exports = {
  _normalizeArgs: normalizeArgs,
  connect,
  createConnection: connect,
  createServer,
  isIP,
  isIPv4,
  isIPv6,
  Server,
  Socket,
  Stream: Socket,
  getDefaultAutoSelectFamily: () => defaults.autoSelectFamily,
  setDefaultAutoSelectFamily(value) {
    validateBoolean(value, 'value');
    defaults.autoSelectFamily = value;
  },
  getDefaultAutoSelectFamilyAttemptTimeout: () => defaults.autoSelectFamilyAttemptTimeout,
  setDefaultAutoSelectFamilyAttemptTimeout(value) {
    validateInt32(value, 'value', 1);
    defaults.autoSelectFamilyAttemptTimeout = Math.max(value, 10);
  },
};

for (const [name, id] of [['BlockList', 'internal/net/blocklist'],
  ['SocketAddress', 'internal/net/socketaddress']]) {
  Object.defineProperty(module.exports, name, {
    get: () => require(id)[name],
    configurable: true,
    enumerable: true,
  });
}
