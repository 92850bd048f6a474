// The module 'net': TCP and local sockets as streams.

const validate = require('internal/validators');
const ip = require('internal/net/ip');
const { normalizeArgs } = require('internal/net/arguments');
const { Socket } = require('internal/net/socket');
const Server = require('internal/net/server');
const { defaults } = require('internal/net/connect');

// Attempts that are given up sooner than this would be in each other's way.
const SHORTEST_ATTEMPT = 10;

// Takes what both the constructor and connect() of a socket take.
function connect(...given) {
  const target = normalizeArgs(given);
  const { timeout } = target[0];
  const socket = new Socket(target[0]);
  return (timeout ? socket.setTimeout(timeout) : socket).connect(target);
}

module.exports = {
  ...ip,
  Server,
  Socket,
  Stream: Socket,
  connect,
  createConnection: connect,
  createServer: function createServer(options, listener) {
    return new Server(options, listener);
  },
  _normalizeArgs: normalizeArgs,

  getDefaultAutoSelectFamily: () => defaults.autoSelectFamily,
  setDefaultAutoSelectFamily(choice) {
    validate.validateBoolean(choice, 'value');
    defaults.autoSelectFamily = choice;
  },
  getDefaultAutoSelectFamilyAttemptTimeout: () => defaults.autoSelectFamilyAttemptTimeout,
  setDefaultAutoSelectFamilyAttemptTimeout(msecs) {
    validate.validateInt32(msecs, 'value', 1);
    defaults.autoSelectFamilyAttemptTimeout = Math.max(msecs, SHORTEST_ATTEMPT);
  },
};

// Few scripts need these.
const RARE = { BlockList: 'internal/net/blocklist', SocketAddress: 'internal/net/socketaddress' };
for (const name in RARE) {
  Object.defineProperty(module.exports, name, {
    configurable: true,
    enumerable: true,
    get: () => require(RARE[name])[name],
  });
}
