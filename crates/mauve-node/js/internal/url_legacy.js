// url.parse and url.format, as they were before the WHATWG's URL. Resolving is
// in internal/url_resolve.

const { validateString } = require('internal/validators');

const SLASHED = new Set(['http', 'https', 'ftp', 'gopher', 'file', 'ws', 'wss'].flatMap((name) => [name, `${name}:`]));
const HOSTLESS = new Set(['javascript', 'javascript:']);
const MAX_HOSTNAME = 255;

function Url() {
  this.protocol = null;
  this.slashes = null;
  this.auth = null;
  this.host = null;
  this.port = null;
  this.hostname = null;
  this.hash = null;
  this.search = null;
  this.query = null;
  this.pathname = null;
  this.path = null;
  this.href = null;
}

function parse(url, parseQuery, slashesDenoteHost) {
  if (url instanceof Url) return url;
  const result = new Url();
  result.parse(url, parseQuery, slashesDenoteHost);
  return result;
}

// Backslashes count as slashes before the query.
function straighten(text) {
  const trimmed = text.replace(/^[\s\ufeff]+|[\s\ufeff]+$/g, '');
  const question = trimmed.indexOf('?');
  const head = question === -1 ? trimmed : trimmed.slice(0, question);
  return head.replaceAll('\\', '/') + trimmed.slice(head.length);
}

// Where the host ends, and where its user part does.
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
  let rest = straighten(url);
  if (!slashesDenoteHost && !/[#@]/.test(rest)) {
    const simple = /^(\/\/?(?!\/)[^?\s]*)(\?[^\s]*)?$/.exec(rest);
    if (simple !== null) return this.setSimple(rest, simple, parseQuery);
  }
  const proto = /^[a-z0-9.+-]+:/i.exec(rest)?.[0];
  const lowerProto = proto?.toLowerCase();
  if (proto) {
    this.protocol = lowerProto;
    rest = rest.slice(proto.length);
  }
  let slashes = false;
  if (slashesDenoteHost || proto || /^\/\/[^@/]+@[^@/]+/.test(rest)) {
    slashes = rest.startsWith('//');
    if (slashes && !(proto && HOSTLESS.has(lowerProto))) {
      rest = rest.slice(2);
      this.slashes = true;
    }
  }
  if (!HOSTLESS.has(lowerProto) && (slashes || (proto && !SLASHED.has(proto)))) {
    rest = this.takeHost(rest, url);
  }
  if (!HOSTLESS.has(lowerProto)) rest = escapeRest(rest);
  this.takeTail(rest, parseQuery, lowerProto);
  this.href = this.format();
  return this;
};

const own = {
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

  // Takes the host off the front of `rest`; returns what is left.
  takeHost(rest, url) {
    const { at, end } = scanHost(rest);
    if (at !== -1) this.auth = decodeURIComponent(rest.slice(0, at));
    this.host = end === -1 ? rest.slice(at + 1) : rest.slice(at + 1, end);
    rest = end === -1 ? '' : rest.slice(end);
    this.parseHost();
    if (typeof this.hostname !== 'string') this.hostname = '';
    const isIpv6 = this.hostname.startsWith('[') && this.hostname.endsWith(']');
    if (!isIpv6) rest = this.cutHostname(rest);
    this.hostname = this.hostname.length > MAX_HOSTNAME ? '' : this.hostname.toLowerCase();
    if (this.hostname !== '') {
      const { domainToASCII, invalidUrl } = require('internal/url');
      if (isIpv6) {
        if (/[\0\t\n\r #%/<>?@\\^|]/.test(this.hostname)) throw invalidUrl(url);
      } else {
        if (/[^\x00-\x7f]/.test(this.hostname)) this.hostname = domainToASCII(this.hostname);
        if (this.hostname === '' || /[\0\t\n\r #%/:<>?@[\\\]^|]/.test(this.hostname)) throw invalidUrl(url);
      }
    }
    this.host = `${this.hostname || ''}${this.port ? `:${this.port}` : ''}`;
    if (isIpv6) {
      this.hostname = this.hostname.slice(1, -1);
      if (!rest.startsWith('/')) rest = `/${rest}`;
    }
    return rest;
  },

  // A character that no host has ends it; the rest becomes the path.
  cutHostname(rest) {
    const bad = this.hostname.search(/[^a-z0-9.+_:[\]@\-\x80-\uffff]/i);
    if (bad === -1) return rest;
    const tail = this.hostname.slice(bad);
    this.hostname = this.hostname.slice(0, bad);
    return `/${tail}${rest}`;
  },

  takeTail(rest, parseQuery, lowerProto) {
    const hash = rest.indexOf('#');
    if (hash !== -1) this.hash = rest.slice(hash);
    const head = hash === -1 ? rest : rest.slice(0, hash);
    const question = head.indexOf('?');
    if (question !== -1) {
      this.search = head.slice(question);
      this.query = head.slice(question + 1);
      if (parseQuery) this.query = require('querystring').parse(this.query);
    } else if (parseQuery) {
      this.search = null;
      this.query = Object.create(null);
    }
    const path = question === -1 ? head : head.slice(0, question);
    if (path.length > 0) this.pathname = path;
    if (SLASHED.has(lowerProto) && this.hostname && !this.pathname) this.pathname = '/';
    if (this.pathname || this.search) this.path = (this.pathname || '') + (this.search || '');
  },
};
for (const [name, value] of Object.entries(own)) {
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
  let host = this.host;
  const port = /:[0-9]*$/.exec(host)?.[0];
  if (port) {
    if (port !== ':') this.port = port.slice(1);
    host = host.slice(0, host.length - port.length);
  }
  if (host) this.hostname = host;
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
