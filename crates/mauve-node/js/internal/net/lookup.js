// dns.lookup and dns.lookupService: the system's resolver, asked on another thread.

const { codes, dnsException } = require('internal/errors');
const {
  validateBoolean, validateFunction, validateNumber, validateOneOf, validatePort, validateString,
} = require('internal/validators');
const { isIP } = require('internal/net/ip');

const native = binding('dns');
const { ADDRCONFIG, ALL, V4MAPPED } = native;

const FAMILIES = [0, 4, 6];
const ORDERS = ['verbatim', 'ipv4first', 'ipv6first'];
let defaultOrder = 'verbatim';

// Checked options; the callback is checked at the moment Node checks it.
function parse(options, checkCallback) {
  const parsed = { family: 0, hints: 0, all: false, order: defaultOrder };
  if (typeof options === 'number') {
    checkCallback();
    validateOneOf(options, 'family', FAMILIES);
    parsed.family = options;
    return parsed;
  }
  if (options !== undefined && typeof options !== 'object') {
    checkCallback();
    throw new codes.ERR_INVALID_ARG_TYPE('options', ['integer', 'object'], options);
  }
  checkCallback();
  if (options?.hints != null) {
    validateNumber(options.hints, 'options.hints');
    parsed.hints = options.hints >>> 0;
    if ((parsed.hints & ~(ADDRCONFIG | ALL | V4MAPPED)) !== 0) {
      throw new codes.ERR_INVALID_ARG_VALUE('hints', parsed.hints);
    }
  }
  if (options?.family != null) {
    const named = { IPv4: 4, IPv6: 6 }[options.family];
    if (named === undefined) validateOneOf(options.family, 'options.family', FAMILIES);
    parsed.family = named ?? options.family;
  }
  if (options?.all != null) {
    validateBoolean(options.all, 'options.all');
    parsed.all = options.all;
  }
  if (options?.verbatim != null) {
    validateBoolean(options.verbatim, 'options.verbatim');
    parsed.order = options.verbatim ? 'verbatim' : 'ipv4first';
  }
  if (options?.order != null) {
    validateOneOf(options.order, 'options.order', ORDERS);
    parsed.order = options.order;
  }
  return parsed;
}

function sort(addresses, order) {
  if (order === 'verbatim') return addresses;
  const first = order === 'ipv4first' ? 4 : 6;
  const isFirst = (address) => isIP(address) === first;
  return [...addresses.filter(isFirst), ...addresses.filter((address) => !isFirst(address))];
}

// Calls done(err, addresses); `later` has it called for what is known at once.
function find(hostname, { family, hints, order }, later, done) {
  if (!hostname) {
    later(done, null, []);
    return;
  }
  const version = isIP(hostname);
  if (version) {
    later(done, null, [{ address: hostname, family: version }]);
    return;
  }
  const errno = native.lookup(hostname, family, hints, (err, addresses) => {
    if (err) {
      done(dnsException(err, 'getaddrinfo', hostname));
      return;
    }
    done(null, sort(addresses, order)
      .map((address) => ({ address, family: family || isIP(address) })));
  });
  if (errno) later(done, dnsException(errno, 'getaddrinfo', hostname));
}

function lookup(hostname, options, callback) {
  if (hostname) validateString(hostname, 'hostname');
  if (typeof options === 'function') {
    callback = options;
    options = undefined;
  }
  const parsed = parse(options, () => validateFunction(callback, 'callback'));
  const { all, family } = parsed;
  find(hostname, parsed, process.nextTick, (err, addresses) => {
    if (err) callback(err);
    else if (all) callback(null, addresses);
    else if (addresses.length === 0) callback(null, null, family === 6 ? 6 : 4);
    else callback(null, addresses[0].address, addresses[0].family);
  });
  return {};
}

function lookupPromise(hostname, options) {
  if (hostname) validateString(hostname, 'hostname');
  const parsed = parse(options, () => {});
  const { all, family } = parsed;
  return new Promise((resolve, reject) => {
    find(hostname, parsed, (done, ...args) => done(...args), (err, addresses) => {
      if (err) reject(err);
      else if (all) resolve(addresses);
      else resolve(addresses[0] ?? { address: null, family: family === 6 ? 6 : 4 });
    });
  });
}

function findNames(address, port, done) {
  const errno = native.lookupService(address, port, (err, hostname, service) => {
    if (err) done(dnsException(err, 'getnameinfo', address));
    else done(null, hostname, service);
  });
  if (errno) throw dnsException(errno, 'getnameinfo', address);
}

function checkService(address, port) {
  if (isIP(address) === 0) throw new codes.ERR_INVALID_ARG_VALUE('address', address);
  return validatePort(port);
}

function lookupService(address, port, callback) {
  if (arguments.length !== 3) throw new codes.ERR_MISSING_ARGS('address', 'port', 'callback');
  port = checkService(address, port);
  validateFunction(callback, 'callback');
  findNames(address, port, callback);
  return {};
}

function lookupServicePromise(address, port) {
  if (arguments.length !== 2) throw new codes.ERR_MISSING_ARGS('address', 'port');
  port = checkService(address, port);
  return new Promise((resolve, reject) => {
    findNames(address, port, (err, hostname, service) => {
      if (err) reject(err);
      else resolve({ hostname, service });
    });
  });
}

function setDefaultResultOrder(value) {
  validateOneOf(value, 'dnsOrder', ORDERS);
  defaultOrder = value;
}

// For promisify.
const kArgs = Symbol.for('nodejs.util.promisify.custom');
lookup[kArgs] = lookupPromise;
lookupService[kArgs] = lookupServicePromise;

module.exports = {
  ADDRCONFIG,
  ALL,
  V4MAPPED,
  getDefaultResultOrder: () => defaultOrder,
  lookup,
  lookupPromise,
  lookupService,
  lookupServicePromise,
  setDefaultResultOrder,
};
