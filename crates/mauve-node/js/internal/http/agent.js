// http.Agent: the sockets of a client, by where they lead. A request gets one that is free, a new
// one, or has to wait; a socket that is free is kept if the agent keeps sockets alive.
//
// Three tables hold lists by name: `requests` that wait, `sockets` that are in use, `freeSockets`.
// A name without a list has nothing in it; lists go when they have become empty.

const EventEmitter = require('events');
const validate = require('internal/validators');
const { createConnection } = require('net');

// The options of the connection that a waiting request needs.
const kWish = Symbol('wish');

// What is taken from the options as it is, and what stands for it otherwise.
const USUAL = {
  keepAliveMsecs: () => 1000,
  keepAlive: () => false,
  maxSockets: () => Agent.defaultMaxSockets,
  maxFreeSockets: () => 256,
  scheduling: () => 'lifo',
};

function Agent(given) {
  if (!(this instanceof Agent)) return new Agent(given);
  EventEmitter.call(this);
  const options = { __proto__: null, ...given };
  if (options.noDelay === undefined) options.noDelay = true;
  // A path in the options of a request is no path of a socket.
  options.path = null;
  Object.assign(this, { defaultPort: 80, protocol: 'http:', options });
  for (const table of ['requests', 'sockets', 'freeSockets']) this[table] = { __proto__: null };
  for (const name in USUAL) this[name] = options[name] || USUAL[name]();
  const { maxTotalSockets } = options;
  validate.validateOneOf(this.scheduling, 'scheduling', ['fifo', 'lifo']);
  if (maxTotalSockets !== undefined) validate.validateNumber(maxTotalSockets, 'maxTotalSockets', 1);
  this.maxTotalSockets = maxTotalSockets ?? Infinity;
  this.totalSocketCount = 0;
  this.on('free', onFree);
}
Object.setPrototypeOf(Agent.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Agent, EventEmitter);

Agent.defaultMaxSockets = Infinity;

// --- tables --------------------------------------------------------------------------------------

const count = (table, name) => table[name]?.length ?? 0;

function enter(table, name, item) {
  (table[name] ??= []).push(item);
}

// Takes the item at an index out of a list.
function pick(table, name, index) {
  const [item] = table[name].splice(index, 1);
  if (table[name].length === 0) delete table[name];
  return item;
}

function strike(table, name, item) {
  const index = table[name]?.indexOf(item) ?? -1;
  if (index >= 0) pick(table, name, index);
}

// A free socket that still lives, the one that was used longest ago or last.
function pickFree({ freeSockets: table, scheduling }, name) {
  while (table[name]?.[0].destroyed) pick(table, name, 0);
  return table[name] && pick(table, name, scheduling === 'fifo' ? 0 : -1);
}

// --- sockets and requests ------------------------------------------------------------------------

// The options for a connection: what the agent was made with has the last word.
function connectionOptions(agent, wish) {
  const all = { __proto__: null, ...wish, ...agent.options };
  if (all.socketPath) all.path = all.socketPath;
  return all;
}

function hand(agent, request, socket) {
  request.onSocket(socket);
  const usual = agent.options.timeout || 0;
  const { timeout = usual } = request;
  if (timeout !== usual) socket.setTimeout(timeout);
}

// Connects for a request, and does something with the socket.
function connectFor(agent, request, options, use) {
  agent.createSocket(request, options, (err, socket) => {
    if (err) request.onSocket(socket, err);
    else use(socket);
  });
}

// Of a socket that nobody uses, and that breaks.
function onIdleError() {
  this.destroy();
  this.emit('agentRemove');
}

// What becomes of a socket whose request is done: 'next' to serve another one, 'keep', or 'drop'.
function fateOf(agent, socket, name) {
  if (!socket.writable) return 'drop';
  if (count(agent.requests, name) > 0) return 'next';
  if (!agent.keepAlive || !socket._httpMessage?.shouldKeepAlive) return 'drop';
  const free = count(agent.freeSockets, name);
  const isCrowded = agent.totalSocketCount > agent.maxTotalSockets ||
    free + count(agent.sockets, name) > agent.maxSockets || free >= agent.maxFreeSockets;
  return isCrowded || !agent.keepSocketAlive(socket) ? 'drop' : 'keep';
}

function onFree(socket, options) {
  const name = this.getName(options);
  switch (fateOf(this, socket, name)) {
    case 'next':
      hand(this, pick(this.requests, name, 0), socket);
      break;
    case 'keep':
      socket._httpMessage = null;
      socket.once('error', onIdleError);
      this.removeSocket(socket, options);
      enter(this.freeSockets, name, socket);
      break;
    default:
      socket.destroy();
  }
}

// Follows a socket until it closes or the agent is told to let go of it.
function follow(agent, socket, options) {
  const lose = () => {
    agent.totalSocketCount -= 1;
    agent.removeSocket(socket, options);
  };
  const listeners = {
    free: () => agent.emit('free', socket, options),
    close: lose,
    // Silence is a matter of the request, if there is one.
    timeout: () => {
      const isFree = Object.values(agent.freeSockets).some((list) => list.includes(socket));
      if (isFree) socket.destroy();
    },
    agentRemove: () => {
      lose();
      for (const event in listeners) socket.off(event, listeners[event]);
    },
  };
  for (const event in listeners) socket.on(event, listeners[event]);
  const { timeout } = agent.options;
  if (timeout) socket.setTimeout(timeout);
}

// The request that is to get a socket now that one to `name` is gone: one that wants to go there, or
// one that wants to go where nobody goes yet and waits because there are too many sockets in all.
function nextInLine({ requests, sockets }, name) {
  if (count(requests, name) > 0) return requests[name][0];
  const elsewhere = Object.keys(requests).find((other) => count(sockets, other) === 0);
  return elsewhere === undefined ? undefined : requests[elsewhere][0];
}

Object.assign(Agent.prototype, {
  createConnection,

  getName({ host, port, localAddress, family, socketPath } = {}) {
    const parts = [host || 'localhost', port || '', localAddress || ''];
    if (family === 4 || family === 6) parts.push(family);
    if (socketPath) parts.push(socketPath);
    return parts.join(':');
  },

  // The older form has the host, the port and the local address one by one.
  addRequest(request, target, port, localAddress) {
    const wish = typeof target === 'string' ? { host: target, port, localAddress } : target;
    const options = connectionOptions(this, wish);
    const name = this.getName(options);
    // Seen by scripts that look at the table while the request waits.
    this.sockets[name] ??= [];
    const socket = pickFree(this, name);
    if (socket) {
      this.reuseSocket(socket, request);
      hand(this, request, socket);
      enter(this.sockets, name, socket);
      return;
    }
    const isRoom = count(this.sockets, name) < this.maxSockets &&
      this.totalSocketCount < this.maxTotalSockets;
    if (isRoom) {
      connectFor(this, request, options, (created) => hand(this, request, created));
    } else {
      request[kWish] = options;
      enter(this.requests, name, request);
    }
  },

  createSocket(request, wish, cb) {
    const options = connectionOptions(this, wish);
    const name = this.getName(options);
    Object.assign(options, { _agentKey: name, encoding: null });
    if (this.keepAlive) {
      Object.assign(options, { keepAlive: true, keepAliveInitialDelay: this.keepAliveMsecs });
    }
    // The socket is returned or called back with, whichever comes first.
    let answer = (err, created) => {
      answer = () => {};
      if (err) {
        cb(err);
        return;
      }
      this.totalSocketCount += 1;
      enter(this.sockets, name, created);
      follow(this, created, options);
      cb(null, created);
    };
    const socket = this.createConnection(options, (...args) => answer(...args));
    if (socket) answer(null, socket);
  },

  removeSocket(socket, options) {
    const name = this.getName(options);
    strike(this.sockets, name, socket);
    if (!socket.writable) strike(this.freeSockets, name, socket);
    const request = nextInLine(this, name);
    const wish = request?.[kWish];
    if (!wish) return;
    const isRoom = count(this.sockets, this.getName(wish)) < this.maxSockets;
    // Being free it finds the request by itself, or an older one.
    if (isRoom) connectFor(this, request, wish, (created) => created.emit('free'));
  },

  // May be replaced by the script, as the next one.
  keepSocketAlive(socket) {
    socket.setKeepAlive(true, this.keepAliveMsecs);
    socket.unref();
    // The server may say that it does not wait that long.
    const [, seconds] = /^timeout=(\d+)/.exec(socket._httpMessage?.res?.headers['keep-alive']) ?? [];
    const hint = seconds === undefined ? Infinity : seconds * 1000;
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

let shared;

module.exports = {
  Agent,
  get globalAgent() {
    shared ??= new Agent({ keepAlive: true, scheduling: 'lifo', timeout: 5000 });
    return shared;
  },
  set globalAgent(agent) {
    shared = agent;
  },
};
