// The legacy url.parse, url.format and url.resolve. The binding parses and resolves.
const { validateString } = require('internal/validators');
const { formatLegacy, parseLegacy, resolveLegacy } = binding('url');
const FIELDS = ['protocol', 'slashes', 'auth', 'host', 'port', 'hostname', 'hash', 'search', 'query', 'pathname', 'path', 'href'];
// The fields that the binding parses, in its order.
const PARSED = ['protocol', 'slashes', 'auth', 'host', 'port', 'hostname', 'hash', 'search', 'pathname', 'href'];

function Url() { for (const field of FIELDS) this[field] = null; }

function parse(url, parseQuery, slashesDenoteHost) {
  if (url instanceof Url) return url;
  const result = new Url();
  result.parse(url, parseQuery, slashesDenoteHost);
  return result;
}

Url.prototype.parse = function (url, parseQuery, slashesDenoteHost) {
  validateString(url, 'url');
  const parts = parseLegacy(url, Boolean(slashesDenoteHost));
  if (!parts) throw require('internal/url').invalidUrl(url);
  PARSED.forEach((field, i) => { if (parts[i] !== undefined) this[field] = parts[i]; });
  if (parts[PARSED.length]) {
    const message = `The URL ${url} is invalid. Future versions of Node.js will throw an error.`;
    require('internal/process/warning').deprecate(message, 'DEP0170');
  }
  if (this.auth) this.auth = decodeURIComponent(this.auth);
  const { pathname, search } = this;
  if (search) this.query = search.slice(1);
  if (parseQuery) this.query = require('querystring').parse(this.query);
  if (pathname || search) this.path = `${pathname || ''}${search || ''}`;
  this.href = parts[PARSED.indexOf('href')] ?? this.format();
  return this;
};

Url.prototype.format = function () {
  const query = this.query !== null && typeof this.query === 'object' ? require('querystring').stringify(this.query) : '';
  const { auth, protocol, pathname, host, hostname, port, search, hash } = this;
  const parts = [auth && encodeURIComponent(auth), protocol, pathname, host, hostname, port, search || (query && `?${query}`), hash];
  return formatLegacy(parts.map((part) => `${part || ''}`), Boolean(this.slashes));
};

Url.prototype.parseHost = function () {
  const [, name, port] = /^([\s\S]*?)(?::([0-9]*))?$/.exec(this.host ?? '');
  if (port) this.port = port;
  if (name) this.hostname = name;
};

Url.prototype.resolve = function (relative) { return this.resolveObject(parse(relative, false, true)).format(); };

Url.prototype.resolveObject = function (relative) {
  const target = typeof relative === 'string' ? parse(relative, false, true) : relative;
  const url = Object.assign(new Url(), this, { hash: target.hash });
  if (target.href !== '') Object.assign(url, resolveLegacy(url, target));
  url.href = url.format();
  return url;
};

module.exports = {
  Url, parse,
  resolve: (source, relative) => parse(source, false, true).resolve(relative),
  resolveObject: (source, relative) => (source ? parse(source, false, true).resolveObject(relative) : relative),
};
