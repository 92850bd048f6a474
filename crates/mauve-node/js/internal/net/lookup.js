// dns.lookup and dns.lookupService: the system's resolver, asked on another thread.

const { codes, dnsException } = require('internal/errors');
const validate = require('internal/validators');
const { isIP } = require('internal/net/ip');

const native = binding('dns');
const { ADDRCONFIG, ALL, V4MAPPED } = native;

const FAMILIES = [0, 4, 6];
const NAMED_FAMILIES = { IPv4: 4, IPv6: 6 };
const ORDERS = ['verbatim', 'ipv4first', 'ipv6first'];
let defaultOrder = 'verbatim';

// What options there are, in the order in which they are looked at, and what each does to the
// question. `order` comes after the older `verbatim` and has the last word.
const OPTIONS = {
  hints(question, flags, label) {
    validate.validateNumber(flags, label);
    question.hints = flags >>> 0;
    const unknown = question.hints & ~(ADDRCONFIG | ALL | V4MAPPED);
    if (unknown !== 0) throw new codes.ERR_INVALID_ARG_VALUE('hints', question.hints);
  },
  family(question, family, label) {
    question.family = NAMED_FAMILIES[family] ?? family;
    validate.validateOneOf(question.family, label, FAMILIES);
  },
  all(question, isWanted, label) {
    validate.validateBoolean(isWanted, label);
    question.all = isWanted;
  },
  verbatim(question, isWanted, label) {
    validate.validateBoolean(isWanted, label);
    question.order = isWanted ? 'verbatim' : 'ipv4first';
  },
  order(question, order, label) {
    validate.validateOneOf(order, label, ORDERS);
    question.order = order;
  },
};

// The question that options ask. The callback is looked at between their type and what they say.
function questionOf(options, checkCallback) {
  checkCallback();
  const question = { family: 0, hints: 0, all: false, order: defaultOrder };
  switch (typeof options) {
    case 'number':
      validate.validateOneOf(options, 'family', FAMILIES);
      question.family = options;
      break;
    case 'object':
      for (const name in OPTIONS) {
        const value = options?.[name] ?? undefined;
        if (value !== undefined) OPTIONS[name](question, value, `options.${name}`);
      }
      break;
    case 'undefined':
      break;
    default:
      throw new codes.ERR_INVALID_ARG_TYPE('options', ['integer', 'object'], options);
  }
  return question;
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

// The one answer to those who did not ask for all.
function firstOf(addresses, family) {
  return addresses[0] ?? { address: null, family: family === 6 ? 6 : 4 };
}

function lookup(hostname, ...rest) {
  if (hostname) validate.validateString(hostname, 'hostname');
  const [options, callback] = typeof rest[0] === 'function' ? [undefined, rest[0]] : rest;
  const question = questionOf(options, () => validate.validateFunction(callback, 'callback'));
  find(hostname, question, process.nextTick, (err, addresses) => {
    if (err) {
      callback(err);
    } else if (question.all) {
      callback(null, addresses);
    } else {
      const { address, family } = firstOf(addresses, question.family);
      callback(null, address, family);
    }
  });
  return {};
}

function lookupPromise(hostname, options) {
  if (hostname) validate.validateString(hostname, 'hostname');
  const question = questionOf(options, () => {});
  const { promise, settle } = pending();
  const now = (done, ...args) => done(...args);
  find(hostname, question, now, (err, addresses) => {
    settle(err, err || question.all ? addresses : firstOf(addresses, question.family));
  });
  return promise;
}

// A promise, and the callback that decides it.
function pending() {
  let settle;
  const promise = new Promise((resolve, reject) => {
    settle = (err, value) => (err ? reject(err) : resolve(value));
  });
  return { promise, settle };
}

// Asks for the names of an address and a port; `given` is all that the script has given.
function findNames(given, names, checkRest, done) {
  if (given.length !== names.length) throw new codes.ERR_MISSING_ARGS(...names);
  const [address] = given;
  if (isIP(address) === 0) throw new codes.ERR_INVALID_ARG_VALUE('address', address);
  const port = validate.validatePort(given[1]);
  checkRest();
  const errno = native.lookupService(address, port, (err, ...found) => {
    if (err) done(dnsException(err, 'getnameinfo', address));
    else done(null, ...found);
  });
  if (errno) throw dnsException(errno, 'getnameinfo', address);
}

function lookupService(...given) {
  const callback = given[2];
  const check = () => validate.validateFunction(callback, 'callback');
  findNames(given, ['address', 'port', 'callback'], check, callback);
  return {};
}

function lookupServicePromise(...given) {
  const { promise, settle } = pending();
  findNames(given, ['address', 'port'], () => {}, (err, hostname, service) => {
    settle(err, { hostname, service });
  });
  return promise;
}

function setDefaultResultOrder(order) {
  validate.validateOneOf(order, 'dnsOrder', ORDERS);
  defaultOrder = order;
}

// As in Node, these say how many arguments they are made for.
const ARITIES = [[lookup, 3], [lookupPromise, 2], [lookupService, 3], [lookupServicePromise, 2]];
for (const [fn, value] of ARITIES) Object.defineProperty(fn, 'length', { value, configurable: true });

const kPromisified = Symbol.for('nodejs.util.promisify.custom');
lookup[kPromisified] = lookupPromise;
lookupService[kPromisified] = lookupServicePromise;

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
