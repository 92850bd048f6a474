// The legacy url.resolve: resolves a reference against a base, both `Url` objects (RFC 3986, 5.2).
//
// The components that the reference defines replace those of the base. Then the segments of the two
// paths are merged and "." and ".." are removed.

const { HOSTLESS, SLASHED, Url, parse } = require('internal/url_legacy');

const QUERY = ['search', 'query'];

function copyFields(target, from, keys) {
  for (const key of keys) target[key] = from[key];
}

function hasSlashes(url) {
  return SLASHED.has(url.protocol);
}

function hasAbsolutePath(url) {
  return url.pathname?.startsWith('/') === true;
}

// The segments of a path. An absolute path begins with an empty one.
class PathSegments {
  constructor(segments) {
    this.segments = segments;
  }

  static of(url) {
    return new PathSegments(url.pathname ? url.pathname.split('/') : []);
  }

  get isEmpty() {
    return this.segments.length === 0;
  }

  get isAbsolute() {
    const [first] = this.segments;
    return first === '' || first?.startsWith('/') === true;
  }

  // The path of a reference, relative to the directory of this one.
  merge(reference) {
    return new PathSegments([...this.segments.slice(0, -1), ...reference.segments]);
  }

  // Puts the host before the path, for protocols without "//".
  prependHost(host) {
    if (!host) return;
    if (this.segments[0] === '') this.segments.shift();
    this.segments.unshift(host);
  }

  makeAbsolute() {
    this.segments.unshift('');
  }

  // Whether the path ends in a slash, or in dots that mean a directory.
  isDirectory(hasHost) {
    const last = this.segments.at(-1);
    return last === '' || ((hasHost || this.segments.length > 1) && (last === '.' || last === '..'));
  }

  // Removes "." and each ".." with the segment before it. `keepLeading` keeps the ".." that are left.
  removeDotSegments(keepLeading) {
    const kept = [];
    let parents = 0;
    for (const segment of this.segments.reverse()) {
      if (segment === '..') parents++;
      else if (segment === '.') continue;
      else if (parents > 0) parents--;
      else kept.unshift(segment);
    }
    if (keepLeading) kept.unshift(...Array(parents).fill('..'));
    this.segments = kept;
  }

  toString() {
    return this.segments.join('/');
  }
}

function withPath(url) {
  const { pathname, search } = url;
  if (pathname !== null || search !== null) url.path = `${pathname || ''}${search || ''}`;
  return url;
}

// Takes the host from the first segment, for protocols without "//". A user may precede it.
function setHost(url, name) {
  const at = name ? name.indexOf('@') : -1;
  if (at > 0) {
    const [user, host] = name.split('@');
    url.auth = user;
    name = host;
  }
  url.host = url.hostname = name;
}

// Resolves a reference with another protocol: it keeps nothing of the base. If its protocol needs a
// host and it has none, the first segment of its path becomes the host.
function toOtherProtocol(url, reference) {
  if (!hasSlashes(reference)) return Object.assign(url, reference);
  let { pathname, host, hostname } = reference;
  if (!host && !/^file:?$/.test(reference.protocol) && !HOSTLESS.has(reference.protocol)) {
    const segments = (pathname || '').split('/');
    const first = segments.findIndex((segment) => segment !== '');
    host = first < 0 ? '' : segments[first];
    const rest = first < 0 ? [] : segments.slice(first + 1);
    if (rest[0] !== '') rest.unshift('');
    if (rest.length < 2) rest.unshift('');
    pathname = rest.join('/');
    hostname ||= '';
  }
  copyFields(url, reference, ['protocol', 'auth', 'port', ...QUERY]);
  Object.assign(url, { pathname, host: host || '', hostname: hostname || host });
  url.slashes ||= reference.slashes;
  if (pathname || reference.search) url.path = `${pathname || ''}${reference.search || ''}`;
  return url;
}

// Resolves a reference with the protocol of the base, or without one.
function withinProtocol(url, reference) {
  const replacesPath = Boolean(reference.host) || hasAbsolutePath(reference);
  const keepsLeadingDots = !(replacesPath || hasAbsolutePath(url) || (url.host && reference.pathname));
  let mustBeAbsolute = !keepsLeadingDots;
  const basePath = PathSegments.of(url);
  const referencePath = PathSegments.of(reference);
  // Protocols without "//" keep the host in the path while it is resolved.
  const isHostInPath = Boolean(url.protocol) && !hasSlashes(url);

  if (isHostInPath) {
    basePath.prependHost(url.host);
    Object.assign(url, { host: '', hostname: '', port: null });
    if (reference.protocol) {
      referencePath.prependHost(reference.host);
      Object.assign(reference, { host: null, hostname: null, port: null });
      url.auth = null;
    }
    mustBeAbsolute &&= referencePath.segments[0] === '' || basePath.segments[0] === '';
  }

  let path = basePath;
  if (replacesPath) {
    path = referencePath;
    copyHost(url, reference);
    copyFields(url, reference, QUERY);
  } else if (!referencePath.isEmpty) {
    path = basePath.merge(referencePath);
    copyFields(url, reference, QUERY);
  } else if (reference.search !== null && reference.search !== undefined) {
    if (isHostInPath) setHost(url, basePath.segments.shift());
    copyFields(url, reference, QUERY);
    return withPath(url);
  }
  if (path.isEmpty) {
    return Object.assign(url, { pathname: null, path: url.search ? `/${url.search}` : null });
  }

  const isDirectory = path.isDirectory(Boolean(url.host || reference.host));
  path.removeDotSegments(keepsLeadingDots && !mustBeAbsolute);
  if (mustBeAbsolute && !path.isAbsolute) path.makeAbsolute();
  if (isDirectory && !path.toString().endsWith('/')) path.segments.push('');

  const { isAbsolute } = path;
  if (isHostInPath) setHost(url, isAbsolute || path.isEmpty ? '' : path.segments.shift());
  if ((mustBeAbsolute || (url.host && !path.isEmpty)) && !isAbsolute) path.makeAbsolute();
  if (path.isEmpty) Object.assign(url, { pathname: null, path: null });
  else url.pathname = path.toString();
  url.auth = reference.auth || url.auth;
  url.slashes ||= reference.slashes;
  return withPath(url);
}

// Copies the host of the reference. The user of the base is dropped if the host differs.
function copyHost(url, reference) {
  const isDefined = (key) => Boolean(reference[key]) || reference[key] === '';
  for (const key of ['host', 'hostname']) {
    if (isDefined(key) && url[key] !== reference[key]) url.auth = null;
  }
  if (isDefined('host')) copyFields(url, reference, ['host', 'port']);
  if (isDefined('hostname')) url.hostname = reference.hostname;
}

// Resolves "//host/path": everything but the protocol is replaced.
function toOtherHost(url, reference) {
  const { protocol } = url;
  Object.assign(url, reference, { protocol });
  if (hasSlashes(url) && url.hostname && !url.pathname) url.path = url.pathname = '/';
  return url;
}

function resolveObject(base, reference) {
  const target = typeof reference === 'string' ? parse(reference, false, true) : reference;
  const url = Object.assign(new Url(), base, { hash: target.hash });
  if (target.href !== '') {
    if (target.slashes && !target.protocol) toOtherHost(url, target);
    else if (target.protocol && target.protocol !== url.protocol) toOtherProtocol(url, target);
    else withinProtocol(url, target);
  }
  url.href = url.format();
  return url;
}

module.exports = { resolveObject };
