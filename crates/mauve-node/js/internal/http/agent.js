// http.Agent: a pool of client sockets, by host and port. A request gets a free socket or a new one, or is
// queued. Free sockets stay open if keepAlive is set.
//
// Three tables have one list per name: queued `requests`, `sockets` in use and `freeSockets`. Empty lists
// are deleted.
const EventEmitter = require('events');
const validate = require('internal/validators');
const { createConnection } = require('net');

// The connection options of a queued request.
const kConnectionOptions = Symbol('connectionOptions');

// Properties that are copied from the options, with their defaults.
const DEFAULTS = {
  keepAliveMsecs: () => 1000,
  keepAlive: () => false,
  maxSockets: () => Agent.defaultMaxSockets,
  maxFreeSockets: () => 256,
  scheduling: () => 'lifo',
};

function Agent(settings) {
  if (!(this instanceof Agent)) return new Agent(settings);
  EventEmitter.call(this);
  const options = { __proto__: null, ...settings };
  if (options.noDelay === undefined) options.noDelay = true;
  // The `path` of a request is not the path of a local socket.
  options.path = null;
  Object.assign(this, { options, defaultPort: 80, protocol: 'http:' });
  for (const table of ['requests', 'sockets', 'freeSockets']) this[table] = { __proto__: null };
  for (const name in DEFAULTS) this[name] = options[name] || DEFAULTS[name]();
  const { maxTotalSockets } = options;
  validate.validateOneOf(this.scheduling, 'scheduling', ['fifo', 'lifo']);
  if (maxTotalSockets !== undefined) validate.validateNumber(maxTotalSockets, 'maxTotalSockets', 1);
  this.maxTotalSockets = maxTotalSockets ?? Infinity;
  this.totalSocketCount = 0;
  const buffer = options.agentKeepAliveTimeoutBuffer;
  this.agentKeepAliveTimeoutBuffer = buffer >= 0 && Number.isFinite(buffer) ? buffer : 1000;
  this.on('free', onFree);
}
Object.setPrototypeOf(Agent.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Agent, EventEmitter);

Agent.defaultMaxSockets = Infinity;

// --- tables --------------------------------------------------------------------------------------

const count = (table, name) => table[name]?.length ?? 0;
const addTo = (table, name, item) => (table[name] ??= []).push(item);

// Removes and returns the item at an index.
function removeAt(table, name, index) {
  const list = table[name];
  const item = index === list.length - 1 ? list.pop() : list.splice(index, 1)[0];
  if (list.length === 0) delete table[name];
  return item;
}

function removeFrom(table, name, item) {
  const index = table[name]?.indexOf(item) ?? -1;
  if (index >= 0) removeAt(table, name, index);
}

// Takes a free socket that is not destroyed: the least recently used (fifo) or the most recently used.
function takeFreeSocket({ freeSockets: table, scheduling }, name) {
  while (table[name]?.[0].destroyed) removeAt(table, name, 0);
  return table[name] && removeAt(table, name, scheduling === 'fifo' ? 0 : table[name].length - 1);
}

// --- sockets and requests ------------------------------------------------------------------------

// The options for a connection. Those of the agent override those of the request.
function connectionOptions(agent, requestOptions) {
  const all = { __proto__: null, ...requestOptions, ...agent.options };
  if (all.socketPath) all.path = all.socketPath;
  return all;
}

function assignSocket(agent, request, socket) {
  request.onSocket(socket);
  const agentTimeout = agent.options.timeout || 0;
  const { timeout = agentTimeout } = request;
  if (timeout !== agentTimeout) socket.setTimeout(timeout);
}

// Creates a socket for a request and passes it to `onSocket`.
function connectFor(agent, request, options, onSocket) {
  agent.createSocket(request, options, (err, socket) => {
    if (err) request.onSocket(socket, err);
    else onSocket(socket);
  });
}

const KEEP_ALIVE_TIMEOUT = /^timeout=(\d+)/;

// The 'error' listener of free sockets.
function onIdleError() {
  this.destroy();
  this.emit('agentRemove');
}

// What happens to a socket whose request is complete: 'reuse' for a queued request, 'keep' or 'destroy'.
function nextUse(agent, socket, name) {
  if (!socket.writable) return 'destroy';
  if (count(agent.requests, name) > 0) return 'reuse';
  if (!agent.keepAlive || !socket._httpMessage?.shouldKeepAlive) return 'destroy';
  const free = count(agent.freeSockets, name);
  const isOverLimit = agent.totalSocketCount > agent.maxTotalSockets ||
    free + count(agent.sockets, name) > agent.maxSockets || free >= agent.maxFreeSockets;
  return isOverLimit || !agent.keepSocketAlive(socket) ? 'destroy' : 'keep';
}

function onFree(socket, options) {
  const name = this.getName(options);
  switch (nextUse(this, socket, name)) {
    case 'reuse':
      assignSocket(this, removeAt(this.requests, name, 0), socket);
      break;
    case 'keep':
      socket._httpMessage = null;
      socket.once('error', onIdleError);
      this.removeSocket(socket, options);
      addTo(this.freeSockets, name, socket);
      break;
    default:
      socket.destroy();
  }
}

// Adds the agent's listeners to a socket. 'agentRemove' removes them.
function installListeners(agent, socket, options) {
  const onRemove = () => {
    agent.totalSocketCount -= 1;
    agent.removeSocket(socket, options);
  };
  const listeners = {
    free: () => agent.emit('free', socket, options),
    close: onRemove,
    // For a socket in use, the request handles the timeout.
    timeout: () => {
      const isFree = Object.values(agent.freeSockets).some((list) => list.includes(socket));
      if (isFree) socket.destroy();
    },
    agentRemove: () => {
      onRemove();
      for (const event in listeners) socket.off(event, listeners[event]);
    },
  };
  for (const event in listeners) socket.on(event, listeners[event]);
  const { timeout } = agent.options;
  if (timeout) socket.setTimeout(timeout);
}

// The queued request that gets a socket after one of `name` was removed: one with the same name, or one of
// a name without sockets, which was queued because of maxTotalSockets.
function nextRequest({ requests, sockets }, name) {
  if (count(requests, name) > 0) return requests[name][0];
  const otherName = Object.keys(requests).find((other) => count(sockets, other) === 0);
  return otherName === undefined ? undefined : requests[otherName][0];
}

Object.assign(Agent.prototype, {
  createConnection,

  getName({ host, port, localAddress, family, socketPath } = {}) {
    let name = `${host || 'localhost'}:${port || ''}:${localAddress || ''}`;
    if (family === 4 || family === 6) name += `:${family}`;
    return socketPath ? `${name}:${socketPath}` : name;
  },

  // The legacy signature is (request, host, port, localAddress).
  addRequest(request, target, port, localAddress) {
    const requestOptions = typeof target === 'string' ? { host: target, port, localAddress } : target;
    const options = connectionOptions(this, requestOptions);
    const name = this.getName(options);
    // Programs may inspect the table while the request is queued.
    this.sockets[name] ??= [];
    const socket = takeFreeSocket(this, name);
    if (socket) {
      this.reuseSocket(socket, request);
      assignSocket(this, request, socket);
      addTo(this.sockets, name, socket);
      return;
    }
    const hasRoom = count(this.sockets, name) < this.maxSockets &&
      this.totalSocketCount < this.maxTotalSockets;
    if (hasRoom) {
      connectFor(this, request, options, (created) => assignSocket(this, request, created));
    } else {
      request[kConnectionOptions] = options;
      addTo(this.requests, name, request);
    }
  },

  createSocket(request, requestOptions, cb) {
    const options = connectionOptions(this, requestOptions);
    const name = this.getName(options);
    Object.assign(options, { _agentKey: name, encoding: null });
    if (this.keepAlive) Object.assign(options, { keepAlive: true, keepAliveInitialDelay: this.keepAliveMsecs });
    // createConnection returns the socket or passes it to the callback; only the first counts.
    let done = (err, created) => {
      done = () => {};
      if (err) {
        cb(err);
        return;
      }
      this.totalSocketCount += 1;
      addTo(this.sockets, name, created);
      installListeners(this, created, options);
      cb(null, created);
    };
    const socket = this.createConnection(options, (...args) => done(...args));
    if (socket) done(null, socket);
  },

  removeSocket(socket, options) {
    const name = this.getName(options);
    removeFrom(this.sockets, name, socket);
    if (!socket.writable) removeFrom(this.freeSockets, name, socket);
    const request = nextRequest(this, name);
    const queuedOptions = request?.[kConnectionOptions];
    if (!queuedOptions) return;
    const hasRoom = count(this.sockets, this.getName(queuedOptions)) < this.maxSockets;
    // The 'free' event assigns the socket to the oldest queued request.
    if (hasRoom) connectFor(this, request, queuedOptions, (created) => created.emit('free'));
  },

  // Programs may override this method and reuseSocket().
  keepSocketAlive(socket) {
    socket.setKeepAlive(true, this.keepAliveMsecs);
    socket.unref();
    // The server's Keep-Alive header may have a shorter timeout.
    const field = socket._httpMessage?.res?.headers['keep-alive'];
    const match = field === undefined ? null : KEEP_ALIVE_TIMEOUT.exec(field);
    // A second less, so that the socket is not used while the server closes it.
    const hint = match === null ? Infinity : match[1] * 1000 - this.agentKeepAliveTimeoutBuffer;
    if (hint <= 0) return false;
    const time = Math.min(this.options.timeout || 0, hint);
    if (time !== socket.timeout) socket.setTimeout(time);
    return true;
  },

  reuseSocket(socket, request) {
    request.reusedSocket = true;
    socket.off('error', onIdleError);
    socket.ref();
  },

  destroy() {
    const lists = [this.freeSockets, this.sockets].flatMap((table) => Object.values(table));
    for (const socket of lists.flat()) socket.destroy();
  },
});

let globalAgent;

module.exports = {
  Agent,
  get globalAgent() {
    globalAgent ??= new Agent({ keepAlive: true, scheduling: 'lifo', timeout: 5000 });
    return globalAgent;
  },
  set globalAgent(agent) { globalAgent = agent; },
};
