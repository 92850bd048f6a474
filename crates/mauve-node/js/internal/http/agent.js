// http.Agent: the sockets of a client, by where they lead. A request gets one that is free, a new
// one, or has to wait; a socket that is free is kept if the agent keeps sockets alive.

const EventEmitter = require('events');
const net = require('net');
const { validateNumber, validateOneOf } = require('internal/validators');

const kRequestOptions = Symbol('requestOptions');

function Agent(options) {
  if (!(this instanceof Agent)) return new Agent(options);
  EventEmitter.call(this);
  this.defaultPort = 80;
  this.protocol = 'http:';
  this.options = { __proto__: null, ...options };
  if (this.options.noDelay === undefined) this.options.noDelay = true;
  // A path of a request is no path of a socket.
  this.options.path = null;
  this.requests = { __proto__: null };
  this.sockets = { __proto__: null };
  this.freeSockets = { __proto__: null };
  this.keepAliveMsecs = this.options.keepAliveMsecs || 1000;
  this.keepAlive = this.options.keepAlive || false;
  this.maxSockets = this.options.maxSockets || Agent.defaultMaxSockets;
  this.maxFreeSockets = this.options.maxFreeSockets || 256;
  this.scheduling = this.options.scheduling || 'lifo';
  this.maxTotalSockets = this.options.maxTotalSockets;
  this.totalSocketCount = 0;
  validateOneOf(this.scheduling, 'scheduling', ['fifo', 'lifo']);
  if (this.maxTotalSockets !== undefined) validateNumber(this.maxTotalSockets, 'maxTotalSockets', 1);
  else this.maxTotalSockets = Infinity;
  this.on('free', onFree);
}
Object.setPrototypeOf(Agent.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Agent, EventEmitter);

Agent.defaultMaxSockets = Infinity;

Agent.prototype.createConnection = net.createConnection;

Agent.prototype.getName = function getName(options = {}) {
  let name = options.host || 'localhost';
  name += ':';
  if (options.port) name += options.port;
  name += ':';
  if (options.localAddress) name += options.localAddress;
  if (options.family === 4 || options.family === 6) name += `:${options.family}`;
  if (options.socketPath) name += `:${options.socketPath}`;
  return name;
};

function dropOnError() {
  this.destroy();
  this.emit('agentRemove');
}

// A socket has done its request.
function onFree(socket, options) {
  const name = this.getName(options);
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const waiting = this.requests[name];
  if (waiting && waiting.length > 0) {
    const req = waiting.shift();
    if (waiting.length === 0) delete this.requests[name];
    giveSocket(this, req, socket);
    return;
  }
  const req = socket._httpMessage;
  if (!req || !req.shouldKeepAlive || !this.keepAlive) {
    socket.destroy();
    return;
  }
  const free = this.freeSockets[name] || [];
  const count = free.length + (this.sockets[name]?.length ?? 0);
  if (this.totalSocketCount > this.maxTotalSockets || count > this.maxSockets ||
      free.length >= this.maxFreeSockets || !this.keepSocketAlive(socket)) {
    socket.destroy();
    return;
  }
  this.freeSockets[name] = free;
  socket._httpMessage = null;
  this.removeSocket(socket, options);
  socket.once('error', dropOnError);
  free.push(socket);
}

Agent.prototype.addRequest = function addRequest(req, options, port, localAddress) {
  if (typeof options === 'string') options = { host: options, port, localAddress };
  options = { __proto__: null, ...options, ...this.options };
  if (options.socketPath) options.path = options.socketPath;
  const name = this.getName(options);
  this.sockets[name] ??= [];

  const free = this.freeSockets[name];
  let socket;
  if (free) {
    while (free.length > 0 && free[0].destroyed) free.shift();
    socket = this.scheduling === 'fifo' ? free.shift() : free.pop();
    if (free.length === 0) delete this.freeSockets[name];
  }
  const count = (free ? free.length : 0) + this.sockets[name].length;
  if (socket) {
    this.reuseSocket(socket, req);
    giveSocket(this, req, socket);
    this.sockets[name].push(socket);
  } else if (count < this.maxSockets && this.totalSocketCount < this.maxTotalSockets) {
    this.createSocket(req, options, (err, created) => {
      if (err) req.onSocket(created, err);
      else giveSocket(this, req, created);
    });
  } else {
    req[kRequestOptions] = options;
    (this.requests[name] ??= []).push(req);
  }
};

Agent.prototype.createSocket = function createSocket(req, options, cb) {
  options = { __proto__: null, ...options, ...this.options };
  if (options.socketPath) options.path = options.socketPath;
  const name = this.getName(options);
  options._agentKey = name;
  options.encoding = null;
  if (this.keepAlive) {
    options.keepAlive = this.keepAlive;
    options.keepAliveInitialDelay = this.keepAliveMsecs;
  }
  let isDone = false;
  const done = (err, socket) => {
    if (isDone) return;
    isDone = true;
    if (err) {
      cb(err);
      return;
    }
    (this.sockets[name] ??= []).push(socket);
    this.totalSocketCount++;
    listen(this, socket, options);
    cb(null, socket);
  };
  const socket = this.createConnection(options, done);
  if (socket) done(null, socket);
};

function listen(agent, socket, options) {
  const listeners = {
    free: () => agent.emit('free', socket, options),
    close: () => {
      agent.totalSocketCount--;
      agent.removeSocket(socket, options);
    },
    timeout: () => {
      for (const free of Object.values(agent.freeSockets)) {
        if (free.includes(socket)) {
          socket.destroy();
          return;
        }
      }
    },
    // The socket is somebody else's from now on.
    agentRemove: () => {
      agent.totalSocketCount--;
      agent.removeSocket(socket, options);
      for (const event in listeners) socket.removeListener(event, listeners[event]);
    },
  };
  for (const event in listeners) socket.on(event, listeners[event]);
  if (agent.options.timeout) socket.setTimeout(agent.options.timeout);
}

Agent.prototype.removeSocket = function removeSocket(socket, options) {
  const name = this.getName(options);
  const sets = [this.sockets];
  if (!socket.writable) sets.push(this.freeSockets);
  for (const sockets of sets) {
    const index = sockets[name] ? sockets[name].indexOf(socket) : -1;
    if (index === -1) continue;
    sockets[name].splice(index, 1);
    if (sockets[name].length === 0) delete sockets[name];
  }
  const req = this.requests[name]?.[0] ?? this.waitingElsewhere();
  if (!req || !req[kRequestOptions]) return;
  const wanted = req[kRequestOptions];
  const count = this.sockets[this.getName(wanted)]?.length ?? 0;
  if (count >= this.maxSockets || this.totalSocketCount >= this.maxTotalSockets) return;
  this.createSocket(req, wanted, (err, created) => {
    if (err) req.onSocket(created, err);
    else created.emit('free');
  });
};

// A request to another place that waits because there are too many sockets in all.
Agent.prototype.waitingElsewhere = function waitingElsewhere() {
  for (const name in this.requests) {
    if (!this.sockets[name]?.length && this.requests[name].length > 0) return this.requests[name][0];
  }
  return undefined;
};

Agent.prototype.keepSocketAlive = function keepSocketAlive(socket) {
  socket.setKeepAlive(true, this.keepAliveMsecs);
  socket.unref();
  let timeout = this.options.timeout || 0;
  const hint = /^timeout=(\d+)/.exec(socket._httpMessage?.res?.headers['keep-alive'])?.[1];
  if (hint !== undefined && Number(hint) * 1000 < timeout) timeout = Number(hint) * 1000;
  if (socket.timeout !== timeout) socket.setTimeout(timeout);
  return true;
};

Agent.prototype.reuseSocket = function reuseSocket(socket, req) {
  socket.removeListener('error', dropOnError);
  req.reusedSocket = true;
  socket.ref();
};

Agent.prototype.destroy = function destroy() {
  for (const set of [this.freeSockets, this.sockets]) {
    for (const sockets of Object.values(set)) {
      for (const socket of [...sockets]) socket.destroy();
    }
  }
};

function giveSocket(agent, req, socket) {
  req.onSocket(socket);
  const timeout = agent.options.timeout || 0;
  if (req.timeout === undefined || req.timeout === timeout) return;
  socket.setTimeout(req.timeout);
}

let shared;

module.exports = {
  Agent,
  get globalAgent() {
    return shared ??= new Agent({ keepAlive: true, scheduling: 'lifo', timeout: 5000 });
  },
  set globalAgent(agent) {
    shared = agent;
  },
};
