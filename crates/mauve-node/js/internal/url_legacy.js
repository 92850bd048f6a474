// The legacy url.parse and url.format. url.resolve is in internal/url_resolve.

const { validateString } = require('internal/validators');

const SLASHED = new Set(['http', 'https', 'ftp', 'gopher', 'file', 'ws', 'wss'].flatMap((name) => [name, `${name}:`]));
const HOSTLESS = new Set(['javascript', 'javascript:']);
const MAX_HOSTNAME = 255;
// Characters that make a hostname invalid; brackets enclose an IPv6 address.
const FORBIDDEN_IN_IPV6 = [...'\0\t\n\r #%/<>?@\\^|'];
const FORBIDDEN_IN_HOST = [...FORBIDDEN_IN_IPV6, ...':[]'];

const FIELDS = [
  'protocol', 'slashes', 'auth', 'host', 'port', 'hostname', 'hash', 'search', 'query', 'pathname', 'path', 'href',
];

function Url() {
  for (const field of FIELDS) this[field] = null;
}

const hasAny = (text, characters) => characters.some((character) => text.includes(character));

function parse(url, parseQuery, slashesDenoteHost) {
  if (url instanceof Url) return url;
  const result = new Url();
  result.parse(url, parseQuery, slashesDenoteHost);
  return result;
}

// Trims white space and turns the backslashes before the query into slashes.
function normalizeInput(text) {
  const trimmed = text.replace(/^[\s\ufeff]+|[\s\ufeff]+$/g, '');
  const queryStart = trimmed.indexOf('?');
  const head = queryStart === -1 ? trimmed : trimmed.slice(0, queryStart);
  return head.replaceAll('\\', '/') + trimmed.slice(head.length);
}

// Finds the end of the host, and the "@" after the user.
function scanHost(text) {
  let at = -1;
  let end = -1;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (char === '/' || char === '?' || char === '#') {
      if (end === -1) end = i;
      break;
    }
    if (char === '@') {
      at = i;
      end = -1;
    } else if (end === -1 && /[\t\n\r "%';<>\\^`{|}]/.test(char)) {
      end = i;
    }
  }
  return { at, end };
}

const ESCAPES = {};
for (const char of '\t\n\r "\'<>\\^`{|}') ESCAPES[char] = `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
const escapeRest = (text) => text.replace(/[\t\n\r "'<>\\^`{|}]/g, (char) => ESCAPES[char]);

Url.prototype.parse = function (url, parseQuery, slashesDenoteHost) {
  validateString(url, 'url');
  let rest = normalizeInput(url);
  if (!slashesDenoteHost && !/[#@]/.test(rest)) {
    const simple = /^(?!\/{3})(\/[^?\s]*)(\?\S*)?$/.exec(rest);
    if (simple !== null) return this.setSimple(rest, simple, parseQuery);
  }
  const proto = /^[-+.0-9a-z]+:/i.exec(rest)?.[0];
  const lowerProto = proto?.toLowerCase();
  if (proto) {
    this.protocol = lowerProto;
    rest = rest.slice(proto.length);
  }
  const isHostless = HOSTLESS.has(lowerProto);
  const mayHaveHost = slashesDenoteHost || proto || /^\/\/[^/@]+@[^/@]/.test(rest);
  const hasSlashes = Boolean(mayHaveHost) && rest.startsWith('//');
  if (!isHostless) {
    if (hasSlashes) {
      this.slashes = true;
      rest = rest.slice(2);
    }
    if (hasSlashes || (proto && !SLASHED.has(proto))) rest = this.takeHost(rest, url);
    rest = escapeRest(rest);
  }
  this.takeTail(rest, parseQuery, lowerProto);
  this.href = this.format();
  return this;
};

const methods = {
  setSimple(text, [, path, search], parseQuery) {
    this.path = text;
    this.href = text;
    this.pathname = path;
    if (search) {
      this.search = search;
      this.query = parseQuery ? require('querystring').parse(search.slice(1)) : search.slice(1);
    } else if (parseQuery) {
      this.query = Object.create(null);
    }
    return this;
  },

  // Parses the host at the start of `rest`; returns the remaining text.
  takeHost(rest, url) {
    const { at, end } = scanHost(rest);
    if (at !== -1) this.auth = decodeURIComponent(rest.slice(0, at));
    this.host = end === -1 ? rest.slice(at + 1) : rest.slice(at + 1, end);
    rest = end === -1 ? '' : rest.slice(end);
    this.parseHost();
    if (typeof this.hostname !== 'string') this.hostname = '';
    const isIpv6 = this.hostname.startsWith('[') && this.hostname.endsWith(']');
    if (!isIpv6) rest = this.cutHostname(rest, url);
    this.hostname = this.hostname.length > MAX_HOSTNAME ? '' : this.hostname.toLowerCase();
    if (this.hostname !== '') {
      const { domainToASCII, invalidUrl } = require('internal/url');
      if (isIpv6) {
        if (hasAny(this.hostname, FORBIDDEN_IN_IPV6)) throw invalidUrl(url);
      } else {
        if (/[^\x00-\x7f]/.test(this.hostname)) this.hostname = domainToASCII(this.hostname);
        if (this.hostname === '' || hasAny(this.hostname, FORBIDDEN_IN_HOST)) throw invalidUrl(url);
      }
    }
    this.host = `${this.hostname || ''}${this.port ? `:${this.port}` : ''}`;
    if (isIpv6) {
      this.hostname = this.hostname.slice(1, -1);
      if (!rest.startsWith('/')) rest = `/${rest}`;
    }
    return rest;
  },

  // Ends the host at the first character that is invalid in one; the path starts there.
  cutHostname(rest, url) {
    const bad = this.hostname.search(/[^a-z0-9.+_[\]@\-\x80-\uffff]/i);
    if (bad === -1) return rest;
    const tail = this.hostname.slice(bad);
    if (tail.startsWith(':')) {
      const message = `The URL ${url} is invalid. Future versions of Node.js will throw an error.`;
      require('internal/process/warning').deprecate(message, 'DEP0170');
    }
    this.hostname = this.hostname.slice(0, bad);
    return `/${tail}${rest}`;
  },

  takeTail(rest, parseQuery, lowerProto) {
    const hashStart = rest.indexOf('#');
    if (hashStart !== -1) this.hash = rest.slice(hashStart);
    const head = hashStart === -1 ? rest : rest.slice(0, hashStart);
    const queryStart = head.indexOf('?');
    if (queryStart !== -1) {
      this.search = head.slice(queryStart);
      this.query = head.slice(queryStart + 1);
      if (parseQuery) this.query = require('querystring').parse(this.query);
    } else if (parseQuery) {
      this.search = null;
      this.query = Object.create(null);
    }
    const path = queryStart === -1 ? head : head.slice(0, queryStart);
    if (path.length > 0) this.pathname = path;
    if (SLASHED.has(lowerProto) && this.hostname && !this.pathname) this.pathname = '/';
    if (this.pathname || this.search) this.path = (this.pathname || '') + (this.search || '');
  },
};
for (const [name, value] of Object.entries(methods)) {
  Object.defineProperty(Url.prototype, name, { value, writable: true, enumerable: false, configurable: true });
}

Url.prototype.format = function () {
  let auth = this.auth || '';
  if (auth) auth = `${encodeURIComponent(auth).replace(/%3A/i, ':')}@`;
  let protocol = this.protocol || '';
  if (protocol && !protocol.endsWith(':')) protocol += ':';
  let pathname = this.pathname || '';
  let host = '';
  if (this.host) {
    host = auth + this.host;
  } else if (this.hostname) {
    const needsBrackets = this.hostname.includes(':') && !/^\[.*\]$/.test(this.hostname);
    host = auth + (needsBrackets ? `[${this.hostname}]` : this.hostname);
    if (this.port) host += `:${this.port}`;
  }
  const query = this.query !== null && typeof this.query === 'object' ? require('querystring').stringify(this.query) : '';
  let search = this.search || (query && `?${query}`) || '';
  pathname = pathname.replaceAll('#', '%23').replaceAll('?', '%3F');
  if (this.slashes || SLASHED.has(protocol)) {
    if (this.slashes || host) {
      if (pathname && !pathname.startsWith('/')) pathname = `/${pathname}`;
      host = `//${host}`;
    } else if (protocol.startsWith('file')) {
      host = '//';
    }
  }
  search = search.replaceAll('#', '%23');
  let hash = this.hash || '';
  if (hash && !hash.startsWith('#')) hash = `#${hash}`;
  if (search && !search.startsWith('?')) search = `?${search}`;
  return protocol + host + pathname + search + hash;
};

Url.prototype.parseHost = function () {
  const [, name, port] = /^([\s\S]*?)(?::([0-9]*))?$/.exec(this.host ?? '');
  if (port) this.port = port;
  if (name) this.hostname = name;
};

Url.prototype.resolve = function (relative) {
  return this.resolveObject(parse(relative, false, true)).format();
};

Url.prototype.resolveObject = function (relative) {
  return require('internal/url_resolve').resolveObject(this, relative);
};

module.exports = {
  HOSTLESS,
  SLASHED,
  Url,
  parse,
  resolve: (source, relative) => parse(source, false, true).resolve(relative),
  resolveObject: (source, relative) => (source ? parse(source, false, true).resolveObject(relative) : relative),
};
