// dns.Resolver, with callbacks and with promises.
const { codes, dnsException } = require('internal/errors');
const { validateArray, validateFunction, validateInt32, validateString } = require('internal/validators');
const { RECORD_TYPES, typeOf } = require('internal/dns/record_types');
const { isIP } = require('internal/net/ip');
const Query = require('internal/dns/query');
const observers = require('internal/async_state');

const SYSCALLS = Object.fromEntries(Object.entries(RECORD_TYPES).map(([type, { method }]) =>
  [type, method.replace('resolve', 'query').replace(/4$/, 'A').replace(/6$/, 'Aaaa')]));

// The value that a method returns for one record.
function toResult(type, { ttl, data }, options) {
  switch (type) {
    case 'A': case 'AAAA':
      return options?.ttl ? { address: data.address, ttl } : data.address;
    case 'NS': case 'CNAME': case 'PTR': return data.value;
    case 'TXT': return data.entries;
    case 'CAA': return { critical: data.critical, type, ...data };
    // As in Node.
    case 'SOA': case 'NAPTR': return { ...data, type: undefined };
    default: return { ...data, type };
  }
}

function toAnyResult({ type, ttl, data }) {
  if (type === 'A' || type === 'AAAA') return { address: data.address, ttl, type };
  return { ...data, type };
}

// Sends a query. Calls done(err, records).
function sendQuery(resolver, name, type, options, done, syscall = SYSCALLS[type]) {
  const { queries } = resolver;
  const finish = observers.measure?.('dns', syscall);
  if (observers.tracker !== undefined) done = observers.tracker.wrapOnce('QUERYWRAP', done);
  const report = (result) => {
    finish?.(() => ({ host: name, ttl: Boolean(options?.ttl), result }));
    done(null, result);
  };
  const query = new Query(resolver, name, type, (code, response) => {
    queries.delete(query);
    const fail = (errorCode) => done(dnsException(errorCode, syscall, name));
    if (code) {
      fail(code);
      return;
    }
    const records = response.answers.map(({ number, ttl, data }) => ({ type: typeOf(number), ttl, data }))
      .filter((record) => (type === 'ANY' ? record.type !== undefined : record.type === type));
    if (records.length === 0) {
      fail('ENODATA');
    } else if (type === 'ANY') {
      report(records.map(toAnyResult));
    } else if (type === 'SOA') {
      report(toResult(type, records[0], options));
    } else {
      report(records.map((record) => toResult(type, record, options)));
    }
  });
  queries.add(query);
}

// The name of the PTR records of an address.
function reverseName(ip) {
  const version = isIP(ip);
  if (version === 4) return `${ip.split('.').reverse().join('.')}.in-addr.arpa`;
  if (version !== 6) return null;
  const [head, tail = ''] = ip.split('::');
  const groups = (text) => (text === '' ? [] : text.split(':'));
  const missing = 8 - groups(head).length - groups(tail).length;
  const all = ip.includes('::') ?
    [...groups(head), ...Array(missing).fill('0'), ...groups(tail)] : groups(ip);
  const digits = all.map((group) => group.padStart(4, '0')).join('');
  return `${[...digits].reverse().join('.')}.ip6.arpa`;
}

// A file that may be missing.
function readSystemFile(path) {
  try {
    return require('fs').readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

// The aliases of an address in the hosts file, or null. As in Node, the first name is not one of them.
function aliasesInHosts(ip) {
  const lines = readSystemFile('/etc/hosts').split('\n').map((line) => line.replace(/#.*/, '').trim().split(/\s+/));
  const names = lines.filter(([address]) => address === ip).flatMap(([, ...rest]) => rest);
  return names.length > 0 ? names.slice(1) : null;
}

// Without the file, the server on this machine is used.
function systemServers() {
  const text = readSystemFile('/etc/resolv.conf');
  const servers = [...text.matchAll(/^\s*nameserver\s+(\S+)/gm)].map(([, address]) => address)
    .filter((address) => isIP(address) !== 0);
  return (servers.length > 0 ? servers : ['127.0.0.1'])
    .map((address) => ({ address, family: isIP(address), port: 53 }));
}

function parseServer(text, index) {
  validateString(text, `servers[${index}]`);
  const plain = isIP(text);
  if (plain !== 0) return { address: text, family: plain, port: 53 };
  const match = /^\[([^[\]]*)\](?::(\d+))?$/.exec(text) ?? /^([^:]+):([0-9]+)$/.exec(text);
  const family = match === null ? 0 : isIP(match[1]);
  if (family === 0) throw new codes.ERR_INVALID_IP_ADDRESS(text);
  return { address: match[1], family, port: Number(match[2] ?? 53) };
}

class ResolverBase {
  constructor(options) {
    const { timeout = -1, tries = 4 } = options ?? {};
    validateInt32(timeout, 'options.timeout', -1);
    validateInt32(tries, 'options.tries', 1);
    this.timeout = timeout;
    this.tries = tries;
    this.queries = new Set();
    this.servers = systemServers();
    this.local = {};
    for (const key of ['timeout', 'tries', 'queries', 'servers', 'local']) Object.defineProperty(this, key, { enumerable: false });
  }

  cancel() { for (const query of [...this.queries]) query.cancel(); }

  getServers() {
    return this.servers.map(({ address, family, port }) => {
      if (port === 53) return address;
      return family === 6 ? `[${address}]:${port}` : `${address}:${port}`;
    });
  }

  setServers(servers) {
    validateArray(servers, 'servers');
    // Skips holes.
    const parsed = servers.flatMap((server, index) => [parseServer(server, index)]);
    if (this.queries.size > 0 && this !== shared && this !== sharedPromise) {
      const shown = require('internal/util/inspect').inspect(servers);
      throw new codes.ERR_DNS_SET_SERVERS_FAILED('There are pending queries.', shown);
    }
    this.servers = parsed;
  }

  // The addresses that queries are sent from: an IPv4 address, an IPv6 address, or both.
  setLocalAddress(ipv4, ipv6) {
    validateString(ipv4, 'ipv4');
    if (ipv6 !== undefined) validateString(ipv6, 'ipv6');
    const addresses = ipv6 === undefined ? [ipv4] : [ipv4, ipv6];
    const families = addresses.map(isIP);
    const error = families.includes(0) ? 'Invalid IP address.' :
      families[0] === families[1] && `Cannot specify two IPv${families[0]} addresses.`;
    if (error) throw Object.assign(new TypeError(error), { code: 'ERR_INVALID_ARG_VALUE' });
    this.local = Object.fromEntries(families.map((family, index) => [family, addresses[index]]));
  }
}

class Resolver extends ResolverBase {
  resolve(hostname, rrtype, callback) {
    if (typeof rrtype === 'function') {
      callback = rrtype;
      rrtype = 'A';
    } else if (typeof rrtype !== 'string') {
      throw new codes.ERR_INVALID_ARG_TYPE('rrtype', 'string', rrtype);
    }
    if (!Object.hasOwn(RECORD_TYPES, rrtype)) throw new codes.ERR_INVALID_ARG_VALUE('rrtype', rrtype);
    return this[RECORD_TYPES[rrtype].method](hostname, callback);
  }

  reverse(ip, callback) {
    validateString(ip, 'name');
    validateFunction(callback, 'callback');
    const name = reverseName(ip);
    if (name === null) throw dnsException('EINVAL', 'getHostByAddr', ip);
    const local = aliasesInHosts(ip);
    if (local !== null) {
      process.nextTick(callback, null, local);
      return;
    }
    sendQuery(this, name, 'PTR', undefined, (err, names) => {
      if (err) callback(dnsException(err.code, 'getHostByAddr', ip));
      else callback(null, names);
    });
  }
}

class PromiseResolver extends ResolverBase {
  resolve(hostname, rrtype = 'A') {
    validateString(rrtype, 'rrtype');
    if (!Object.hasOwn(RECORD_TYPES, rrtype)) throw new codes.ERR_INVALID_ARG_VALUE('rrtype', rrtype);
    return this[RECORD_TYPES[rrtype].method](hostname);
  }

  reverse(ip) {
    return new Promise((resolve, reject) => { Resolver.prototype.reverse.call(this, ip, (err, names) => (err ? reject(err) : resolve(names))); });
  }
}

for (const [type, { method }] of Object.entries(RECORD_TYPES)) {
  Resolver.prototype[method] = { [method](name, options, callback) {
    if (arguments.length > 2) callback = arguments[2];
    else [callback, options] = [options, undefined];
    validateString(name, 'name');
    validateFunction(callback, 'callback');
    sendQuery(this, name, type, options, callback);
    return {};
  } }[method];
  PromiseResolver.prototype[method] = { [method](name, options) {
    validateString(name, 'name');
    return new Promise((resolve, reject) => { sendQuery(this, name, type, options, (err, records) => (err ? reject(err) : resolve(records))); });
  } }[method];
}

let shared;
let sharedPromise;

module.exports = {
  Resolver, PromiseResolver,
  // The resolvers of the functions of `dns` and `dns.promises`, which share their servers.
  common: () => shared ??= new Resolver(),
  commonPromise() {
    sharedPromise ??= new PromiseResolver();
    Object.defineProperty(sharedPromise, 'servers', {
      get: () => module.exports.common().servers,
      set: (servers) => { module.exports.common().servers = servers; },
      configurable: true,
    });
    return sharedPromise;
  },
};
