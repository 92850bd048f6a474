// The WHATWG class URL, and file URLs. The binding parses; each URL holds the
// components that it returns, in the order of `PARTS`.
const { codes } = require('internal/errors');
const { validateString } = require('internal/validators');
const { URLSearchParams } = require('internal/url_search_params');
const { customInspectSymbol, defineWebClass, inspectAs } = require('internal/util/web_class');
const natives = binding('url');
const PARTS = ['href', 'origin', 'protocol', 'username', 'password', 'host', 'hostname', 'port', 'pathname', 'search', 'hash'];
const HREF = 0;
const SEARCH = 9;
const usv = (value) => `${value}`.toWellFormed();

function invalidUrl(input, base) {
  const error = new TypeError('Invalid URL');
  error.code = 'ERR_INVALID_URL';
  error.input = input;
  if (base !== undefined) error.base = base;
  return error;
}

class URL {
  #parts;
  #searchParams;

  constructor(input, base = undefined) {
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('url');
    const text = usv(input);
    const baseText = base === undefined ? undefined : usv(base);
    this.#parts = natives.parse(text, baseText);
    if (!this.#parts) throw invalidUrl(text, baseText);
  }

  static canParse(input, base = undefined) {
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('url');
    return natives.canParse(usv(input), base === undefined ? undefined : usv(base));
  }

  static parse(input, base = undefined) { return URL.canParse(...arguments) ? new URL(input, base) : null; }

  static createObjectURL(blob) {
    const { Blob, objects } = require('internal/blob');
    if (!(blob instanceof Blob)) throw new codes.ERR_INVALID_ARG_TYPE('obj', 'Blob', blob);
    const id = `blob:nodedata:${randomId()}`;
    objects.set(id, blob);
    return id;
  }

  static revokeObjectURL(url) {
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('url');
    require('internal/blob').objects.delete(`${url}`);
  }

  static #get(url, index) {
    if ((index === HREF || index === SEARCH) && !(#parts in url)) throw new TypeError('Receiver must be an instance of class URL');
    return url.#parts[index];
  }

  static #set(url, name, value) {
    const text = usv(value);
    const parts = natives.set(url.#parts[HREF], name, text);
    if (!parts) throw invalidUrl(text);
    url.#parts = parts;
    if (url.#searchParams !== undefined && (name === 'href' || name === 'search')) URLSearchParams._replace(url.#searchParams, parts[SEARCH]);
  }

  static {
    PARTS.forEach((name, index) => {
      const { get, set } = Object.getOwnPropertyDescriptor({
        get [name]() { return URL.#get(this, index); },
        set [name](value) { URL.#set(this, name, value); },
      }, name);
      const accessor = { get, set: name === 'origin' ? undefined : set, enumerable: true, configurable: true };
      Object.defineProperty(URL.prototype, name, accessor);
    });
  }

  get searchParams() {
    this.#searchParams ??= URLSearchParams._attach(this.#parts[SEARCH], () => {
      this.#parts = natives.set(this.#parts[HREF], 'search', this.#searchParams.toString());
    });
    return this.#searchParams;
  }

  toString() { return URL.#get(this, HREF); }
  toJSON() { return Reflect.apply(URL.prototype.toString, this, []); }

  [customInspectSymbol](...args) {
    const { href, origin, protocol, username, password, host, hostname, port, pathname, search, searchParams, hash } = this;
    const components = { href, origin, protocol, username, password, host, hostname, port, pathname, search, searchParams, hash };
    return inspectAs(this, this.constructor.name, components, ...args);
  }
}
defineWebClass(URL, ['searchParams', 'toString', 'toJSON']);
for (const key of ['canParse', 'parse', 'createObjectURL', 'revokeObjectURL']) Object.defineProperty(URL, key, { enumerable: true });

function randomId() {
  const hex = Array.from({ length: 32 }, () => Math.floor(Math.random() * 16).toString(16)).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

const isURL = (value) => Boolean(value?.href && value.protocol && value.auth === undefined && value.path === undefined);

function fileURLToPath(path) {
  if (typeof path === 'string') path = new URL(path);
  else if (!isURL(path)) throw new codes.ERR_INVALID_ARG_TYPE('path', ['string', 'URL'], path);
  if (path.protocol !== 'file:') throw new codes.ERR_INVALID_URL_SCHEME('file');
  if (path.hostname !== '') throw new codes.ERR_INVALID_FILE_URL_HOST(process.platform);
  if (/%2f/i.test(path.pathname)) throw new codes.ERR_INVALID_FILE_URL_PATH('must not include encoded / characters');
  return decodeURIComponent(path.pathname);
}

function pathToFileURL(path, options = undefined) {
  validateString(path, 'path');
  const isWindows = options?.windows ?? false;
  if (isWindows && path.startsWith('\\\\')) return uncToFileURL(path);
  const { resolve } = require('path')[isWindows ? 'win32' : 'posix'];
  let resolved = resolve(path);
  // path.resolve drops a trailing slash.
  if (/[/\\]$/.test(isWindows ? path : path.replaceAll('\\', '_')) && !/[/\\]$/.test(resolved)) resolved += '/';
  if (isWindows) resolved = `/${resolved.replaceAll('\\', '/')}`;
  return new URL(`file://${escapePath(resolved)}`);
}

// Paths of the forms `\\server\share\file`, `\\?\UNC\server\share\file` and `\\?\C:\file`.
function uncToFileURL(path) {
  const rest = path.replace(/^\\\\\?\\(?:UNC\\)?/, '').replace(/^\\\\/, '');
  if (/^[a-z]:/i.test(rest)) return new URL(`file:///${escapePath(rest.replaceAll('\\', '/'))}`);
  const end = rest.indexOf('\\');
  if (end <= 0) {
    const reason = end === 0 ? 'Empty UNC servername' : 'Missing UNC resource path';
    throw new codes.ERR_INVALID_ARG_VALUE('path', path, reason);
  }
  const url = new URL('file://');
  url.hostname = require('url').domainToASCII(rest.slice(0, end));
  url.pathname = escapePath(rest.slice(end).replaceAll('\\', '/'));
  return url;
}

// Escapes what the URL parser would keep, remove or interpret.
function escapePath(path) {
  const encode = (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  return path.replace(/[%\\\n\r\t?#^[\]|~]/g, encode);
}

function urlToHttpOptions(url) {
  const { hostname, pathname, port, username, password, search } = url;
  const options = Object.assign(Object.create(null), {
    ...url,
    protocol: url.protocol,
    hostname: typeof hostname === 'string' && hostname.startsWith('[') ? hostname.slice(1, -1) : hostname,
    hash: url.hash,
    search, pathname,
    path: `${pathname || ''}${search || ''}`,
    href: url.href,
  });
  if (port !== '') options.port = Number(port);
  if (username || password) options.auth = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return options;
}

module.exports = {
  URL, URLSearchParams,
  domainToASCII: (domain) => natives.domainToASCII(usv(domain)),
  domainToUnicode: (domain) => natives.domainToUnicode(usv(domain)),
  fileURLToPath, invalidUrl, isURL, pathToFileURL, urlToHttpOptions,
};
