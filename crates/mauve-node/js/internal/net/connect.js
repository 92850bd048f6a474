// socket.connect(): looks up the host name and connects. With several addresses (Happy Eyeballs) it tries
// the next one when an attempt has failed or timed out.
const { codes, exceptionWithHostPort } = require('internal/errors');
const { validateBoolean, validateFunction, validateInt32, validateNumber, validatePort, validateString } = require('internal/validators');
const { isIP } = require('internal/net/ip');
const { kNormalized, normalizeArgs } = require('internal/net/arguments');
const { kPeername, kSockname, localEndpoint } = require('internal/net/socket_properties');
const { Pipe, TCP, initSocketHandle } = require('internal/net/socket');
const { refreshTimer } = require('internal/net/socket_timeout');
const { applyOptions, kSocketOptions } = require('internal/net/socket_options');
const timers = require('timers');
const observers = require('internal/async_state');
const defaults = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 250 };
const ECANCELED = -125;
const ETIMEDOUT = -110;

function connect(socket, args) {
  // createConnection passes arguments that are already normalized.
  const normalized = Array.isArray(args[0]) && args[0][kNormalized] ? args[0] : normalizeArgs(args);
  const [options, cb] = normalized;

  if (options.port === undefined && options.path == null) throw new codes.ERR_MISSING_ARGS(['options', 'port', 'path']);
  if (socket.destroyed) {
    socket._handle = null;
    socket[kPeername] = null;
    socket[kSockname] = null;
  }
  const { path } = options;
  if (path) validateString(path, 'options.path');
  if (!socket._handle) {
    socket._handle = path ? new Pipe() : new TCP();
    initSocketHandle(socket);
  }
  if (cb !== null) socket.once('connect', cb);
  refreshTimer(socket);
  socket.connecting = true;
  if (path) connectTo(socket, { address: path });
  else lookupAndConnect(socket, options);
  return socket;
}

function lookupAndConnect(socket, options) {
  const { localAddress, localPort } = options;
  const host = options.host || 'localhost';
  let { port } = options;
  if (localAddress && !isIP(localAddress)) throw new codes.ERR_INVALID_IP_ADDRESS(localAddress);
  if (localPort) validateNumber(localPort, 'options.localPort');
  if (typeof port !== 'undefined') {
    if (typeof port !== 'number' && typeof port !== 'string') throw new codes.ERR_INVALID_ARG_TYPE('options.port', ['number', 'string'], port);
    validatePort(port);
  }
  port |= 0;

  let { autoSelectFamily, autoSelectFamilyAttemptTimeout: timeout } = options;
  if (autoSelectFamily != null) validateBoolean(autoSelectFamily, 'options.autoSelectFamily');
  else autoSelectFamily = defaults.autoSelectFamily;
  if (timeout != null) {
    validateInt32(timeout, 'options.autoSelectFamilyAttemptTimeout', 1);
    timeout = Math.max(timeout, 10);
  } else {
    timeout = defaults.autoSelectFamilyAttemptTimeout;
  }

  const target = { port, localAddress, localPort, timeout, options, host };
  const family = isIP(host);
  if (family) {
    process.nextTick(() => { if (socket.connecting) connectTo(socket, { ...target, address: host, family }); });
    return;
  }
  if (options.lookup != null) validateFunction(options.lookup, 'options.lookup');
  const dns = require('dns');
  const lookup = options.lookup || dns.lookup;
  const lookupOptions = { family: options.family, hints: options.hints || 0 };
  if (lookupOptions.family !== 4 && lookupOptions.family !== 6 && lookupOptions.hints === 0) lookupOptions.hints = dns.ADDRCONFIG;
  socket._host = host;
  if (autoSelectFamily && lookupOptions.family !== 4 && lookupOptions.family !== 6 && !localAddress) {
    lookupOptions.all = true;
    lookup(host, lookupOptions, (err, addresses) => onAddresses(socket, target, err, addresses));
  } else {
    lookup(host, lookupOptions, (err, ip, type) => onAddress(socket, target, err, ip, type));
  }
}

function destroyLater(socket, err) { process.nextTick(() => socket.destroy(err)); }

// The error for an invalid lookup result, or undefined.
function addressError(ip, family, { host, port }) {
  if (!isIP(ip)) return new codes.ERR_INVALID_IP_ADDRESS(ip);
  if (family !== 4 && family !== 6) return new codes.ERR_INVALID_ADDRESS_FAMILY(family, host, port);
  return undefined;
}

function onAddress(socket, target, err, address, family) {
  socket.emit('lookup', err, address, family, target.host);
  if (!socket.connecting) return;
  err ??= addressError(address, family, target.options);
  if (err) {
    destroyLater(socket, err);
    return;
  }
  refreshTimer(socket);
  connectTo(socket, { ...target, address, family });
}

function onAddresses(socket, target, err, addresses) {
  if (!socket.connecting) return;
  if (err) {
    socket.emit('lookup', err, undefined, undefined, target.host);
    destroyLater(socket, err);
    return;
  }
  // Alternates between the families, starting with the family of the first address.
  const byFamily = new Map();
  for (const { address, family } of addresses) {
    socket.emit('lookup', err, address, family, target.host);
    if (!socket.connecting) return;
    if (addressError(address, family, target.options)) continue;
    const list = byFamily.get(family) ?? byFamily.set(family, []).get(family);
    if (!list.some((known) => known.address === address)) list.push({ address, family });
  }
  if (byFamily.size === 0) {
    const [first] = addresses;
    destroyLater(socket, addressError(first?.address, first?.family, target.options));
    return;
  }
  const lists = [...byFamily.values()];
  const attempts = [];
  for (let i = 0; i < Math.max(...lists.map((list) => list.length)); i++) {
    for (const list of lists) if (i < list.length) attempts.push(list[i]);
  }
  refreshTimer(socket);
  if (attempts.length === 1) {
    connectTo(socket, { ...target, ...attempts[0] });
    return;
  }
  socket.autoSelectFamilyAttemptedAddresses = [];
  tryNext({ socket, target, attempts, current: 0, timer: null, errors: [] });
}

// --- one address ---------------------------------------------------------------------------------

function connectionError(target, errno) {
  const { localAddress, localPort } = target;
  const details = localAddress && localPort ? `${localAddress}:${localPort}` : undefined;
  return exceptionWithHostPort(errno, 'connect', target.address, target.port, details);
}

// Binds to options.localAddress and options.localPort. Returns the error if that fails.
function bindLocal(handle, { localAddress, localPort, family }) {
  if (!localAddress && !localPort) return undefined;
  const address = localAddress || (family === 6 ? '::' : '0.0.0.0');
  const errno = handle.bind(address, localPort ?? 0);
  // The system reports an address in use only on getsockname().
  const result = errno || handle.getsockname();
  if (typeof result !== 'number') return undefined;
  return exceptionWithHostPort(result, 'bind', localAddress, localPort);
}

// The function that ends the measurement of the connection for perf_hooks.
const kMeasure = Symbol('measure');

function startMeasure(socket) { if (observers.measure !== undefined) socket[kMeasure] = observers.measure('net', 'connect'); }

// Connects to an address, or to a path if there is no family.
function connectTo(socket, target) {
  const handle = socket._handle;
  const error = bindLocal(handle, target);
  if (error) {
    socket.destroy(error);
    return;
  }
  const isInternet = target.family === 4 || target.family === 6;
  if (isInternet) startMeasure(socket);
  const done = (status) => {
    if (isInternet && status !== 0 && !socket.destroyed) {
      socket.emit('connectionAttemptFailed', target.address, target.port, target.family,
        connectionError(target, status));
    }
    afterConnect(socket, target, status);
  };
  if (isInternet) {
    socket.emit('connectionAttempt', target.address, target.port, target.family);
    if (socket._handle !== handle) return;
  }
  const errno = isInternet ? handle.connect(target.address, target.port, done) :
    handle.connect(target.address, done);
  if (errno) {
    const local = localEndpoint(socket);
    const details = local.address ? `${local.address}:${local.port}` : undefined;
    socket.destroy(exceptionWithHostPort(errno, 'connect', target.address, target.port, details));
  }
}

function afterConnect(socket, target, errno) {
  if (socket.destroyed) return;
  socket.connecting = false;
  socket[kSockname] = null;
  if (errno !== 0) {
    socket.destroy(connectionError(target, errno));
    return;
  }
  socket[kMeasure]?.(() => ({ host: target.address, port: target.port }));
  refreshTimer(socket);
  applyOptions(socket._handle, socket[kSocketOptions]);
  socket.emit('connect');
  socket.emit('ready');
  // Starts reading; the peer may have ended its side already.
  if (!socket.isPaused()) socket.read(0);
}

// --- several addresses ---------------------------------------------------------------------------

function aggregate(errors) {
  const error = new AggregateError(errors);
  error.code = errors[0]?.code;
  return error;
}

function tryNext(attempt, cancelled) {
  timers.clearTimeout(attempt.timer);
  const { socket, attempts, errors } = attempt;
  if (cancelled || attempt.current === attempts.length) {
    socket.destroy(errors.length === 0 ? new codes.ERR_SOCKET_CONNECTION_TIMEOUT() : aggregate(errors));
    return;
  }
  const current = attempt.current++;
  if (current > 0) {
    // A TCP handle cannot connect a second time.
    socket._handle?.close();
    socket._handle = new TCP();
    initSocketHandle(socket);
  }
  const target = { ...attempt.target, ...attempts[current] };
  const { address, port, family } = target;
  const handle = socket._handle;
  const bindError = bindLocal(handle, target);
  if (bindError) {
    errors.push(bindError);
    tryNext(attempt);
    return;
  }
  socket.autoSelectFamilyAttemptedAddresses.push(`${address}:${port}`);
  startMeasure(socket);
  socket.emit('connectionAttempt', address, port, family);
  const errno = handle.connect(address, port, (status) => { afterAttempt(attempt, current, target, handle, status); });
  if (errno) {
    const error = connectionError(target, errno);
    errors.push(error);
    socket.emit('connectionAttemptFailed', address, port, family, error);
    tryNext(attempt);
    return;
  }
  if (current < attempts.length - 1) {
    attempt.timer = timers.setTimeout(() => {
      if (!socket.connecting) return;
      socket.emit('connectionAttemptTimeout', address, port, family);
      errors.push(connectionError(target, ETIMEDOUT));
      tryNext(attempt);
    }, target.timeout);
  }
}

function afterAttempt(attempt, current, target, handle, status) {
  const { socket } = attempt;
  // An attempt that timed out completes late.
  if (current !== attempt.current - 1 || socket._handle !== handle) return;
  timers.clearTimeout(attempt.timer);
  if (status !== 0) {
    const error = connectionError(target, status);
    attempt.errors.push(error);
    socket.emit('connectionAttemptFailed', target.address, target.port, target.family, error);
    if (socket.connecting) tryNext(attempt, status === ECANCELED);
    return;
  }
  afterConnect(socket, target, status);
}

module.exports = { connect, defaults };
