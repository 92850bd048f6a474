// dns.lookup and dns.lookupService: getaddrinfo and getnameinfo on the thread pool.
const { codes, dnsException } = require('internal/errors');
const validate = require('internal/validators');
const { isIP } = require('internal/net/ip');
const observers = require('internal/async_state');
const native = binding('dns');
const { ADDRCONFIG, ALL, V4MAPPED } = native;
const FAMILIES = [0, 4, 6];
const NAMED_FAMILIES = { IPv4: 4, IPv6: 6 };
const ORDERS = ['verbatim', 'ipv4first', 'ipv6first'];
let defaultOrder = 'verbatim';

// The options, in the order in which they are validated. Each sets fields of the query. `order` overrides
// the older `verbatim`.
const OPTIONS = {
  hints(query, flags, label) {
    validate.validateNumber(flags, label);
    query.hints = flags >>> 0;
    const unknown = query.hints & ~(ADDRCONFIG | ALL | V4MAPPED);
    if (unknown !== 0) throw new codes.ERR_INVALID_ARG_VALUE('hints', query.hints);
  },
  family(query, family, label) {
    query.family = NAMED_FAMILIES[family] ?? family;
    validate.validateOneOf(query.family, label, FAMILIES);
  },
  all(query, value, label) {
    validate.validateBoolean(value, label);
    query.all = value;
  },
  verbatim(query, value, label) {
    validate.validateBoolean(value, label);
    query.order = value ? 'verbatim' : 'ipv4first';
  },
  order(query, order, label) {
    validate.validateOneOf(order, label, ORDERS);
    query.order = order;
  },
};

// Converts options to a query. The callback is validated before the options, as in Node.
function parseOptions(options, checkCallback) {
  checkCallback();
  const query = { family: 0, hints: 0, all: false, order: defaultOrder };
  switch (typeof options) {
    case 'number':
      validate.validateOneOf(options, 'family', FAMILIES);
      query.family = options;
      break;
    case 'object':
      for (const name in OPTIONS) {
        const value = options?.[name] ?? undefined;
        if (value !== undefined) OPTIONS[name](query, value, `options.${name}`);
      }
      break;
    case 'undefined':
      break;
    default:
      throw new codes.ERR_INVALID_ARG_TYPE('options', ['integer', 'object'], options);
  }
  return query;
}

function sort(addresses, order) {
  if (order === 'verbatim') return addresses;
  const first = order === 'ipv4first' ? 4 : 6;
  const isFirst = (address) => isIP(address) === first;
  return [...addresses.filter(isFirst), ...addresses.filter((address) => !isFirst(address))];
}

// Calls done(err, addresses). `schedule` calls it for results that need no lookup.
function getAddrInfo(hostname, { family, hints, order }, schedule, done) {
  if (!hostname) {
    schedule(done, null, []);
    return;
  }
  const version = isIP(hostname);
  if (version) {
    schedule(done, null, [{ address: hostname, family: version }]);
    return;
  }
  const finish = observers.measure?.('dns', 'lookup');
  const errno = native.lookup(hostname, family, hints, (err, addresses) => {
    if (err) {
      done(dnsException(err, 'getaddrinfo', hostname));
      return;
    }
    finish?.(() => ({ hostname, family, hints, verbatim: order === 'verbatim', order, addresses }));
    done(null, sort(addresses, order)
      .map((address) => ({ address, family: family || isIP(address) })));
  });
  if (errno) schedule(done, dnsException(errno, 'getaddrinfo', hostname));
}

// The result without the option `all`.
function firstAddress(addresses, family) { return addresses[0] ?? { address: null, family: family === 6 ? 6 : 4 }; }

function lookup(hostname, ...rest) {
  if (hostname) validate.validateString(hostname, 'hostname');
  const [options, callback] = typeof rest[0] === 'function' ? [undefined, rest[0]] : rest;
  const query = parseOptions(options, () => validate.validateFunction(callback, 'callback'));
  getAddrInfo(hostname, query, process.nextTick, (err, addresses) => {
    if (err) {
      callback(err);
    } else if (query.all) {
      callback(null, addresses);
    } else {
      const { address, family } = firstAddress(addresses, query.family);
      callback(null, address, family);
    }
  });
  return {};
}

function lookupPromise(hostname, options) {
  if (hostname) validate.validateString(hostname, 'hostname');
  const query = parseOptions(options, () => {});
  const callNow = (done, ...args) => done(...args);
  return new Promise((resolve, reject) => getAddrInfo(hostname, query, callNow, (err, addresses) => {
    if (err) reject(err);
    else resolve(query.all ? addresses : firstAddress(addresses, query.family));
  }));
}

// Calls getnameinfo. `args` are all arguments, and `names` are their names in errors.
function getNameInfo(args, names, checkRest, done) {
  if (args.length !== names.length) throw new codes.ERR_MISSING_ARGS(...names);
  const [address] = args;
  if (isIP(address) === 0) throw new codes.ERR_INVALID_ARG_VALUE('address', address);
  const port = validate.validatePort(args[1]);
  checkRest();
  const finish = observers.measure?.('dns', 'lookupService');
  const errno = native.lookupService(address, port, (err, hostname, service) => {
    if (err) {
      done(dnsException(err, 'getnameinfo', address));
      return;
    }
    finish?.(() => ({ host: address, port, hostname, service }));
    done(null, hostname, service);
  });
  if (errno) throw dnsException(errno, 'getnameinfo', address);
}

function lookupService(...args) {
  const callback = args[2];
  const check = () => validate.validateFunction(callback, 'callback');
  getNameInfo(args, ['address', 'port', 'callback'], check, callback);
  return {};
}

function lookupServicePromise(...args) {
  let settle;
  // Invalid arguments throw.
  getNameInfo(args, ['address', 'port'], () => {}, (err, hostname, service) => settle(err, { hostname, service }));
  return new Promise((resolve, reject) => { settle = (err, value) => (err ? reject(err) : resolve(value)); });
}

function setDefaultResultOrder(order) {
  validate.validateOneOf(order, 'dnsOrder', ORDERS);
  defaultOrder = order;
}

// The `length` of these functions, as in Node.
const ARITIES = [[lookup, 3], [lookupPromise, 2], [lookupService, 3], [lookupServicePromise, 2]];
for (const [fn, value] of ARITIES) Object.defineProperty(fn, 'length', { value, configurable: true });

const kPromisified = Symbol.for('nodejs.util.promisify.custom');
lookup[kPromisified] = lookupPromise;
lookupService[kPromisified] = lookupServicePromise;

module.exports = {
  ADDRCONFIG, ALL, V4MAPPED,
  getDefaultResultOrder: () => defaultOrder,
  lookup, lookupPromise, lookupService, lookupServicePromise, setDefaultResultOrder,
};
