// The older url.resolve: a link followed from a page, on `Url` objects.
//
// A link says some parts of an address and leaves the others to the page. Which parts it says is
// decided first; the names of the path are then joined and tidied as a `Trail`.

const { HOSTLESS, SLASHED, Url, parse } = require('internal/url_legacy');

const QUERY = ['search', 'query'];

function take(target, from, keys) {
  for (const key of keys) target[key] = from[key];
}

function hasSlashes(url) {
  return SLASHED.has(url.protocol);
}

function isRooted(url) {
  return url.pathname?.startsWith('/') === true;
}

// The names of a path, in order. An empty first name is the root.
class Trail {
  constructor(names) {
    this.names = names;
  }

  static of(url) {
    return new Trail(url.pathname ? url.pathname.split('/') : []);
  }

  get isEmpty() {
    return this.names.length === 0;
  }

  get isRooted() {
    const [first] = this.names;
    return first === '' || first?.startsWith('/') === true;
  }

  // What is left of a page's trail when a link leads away from its last name.
  follow(link) {
    return new Trail([...this.names.slice(0, -1), ...link.names]);
  }

  // Where addresses have no slashes, the host is the first name.
  lead(host) {
    if (!host) return;
    if (this.names[0] === '') this.names.shift();
    this.names.unshift(host);
  }

  root() {
    this.names.unshift('');
  }

  // Whether it leads to a directory: ends in a slash, or in dots that stand for one.
  leadsToDirectory(withHost) {
    const last = this.names.at(-1);
    return last === '' || ((withHost || this.names.length > 1) && (last === '.' || last === '..'));
  }

  // Drops "." and each ".." together with the name before it; keeps the rest of the ".." if asked.
  tidy(keepLeadingDots) {
    const kept = [];
    let steps = 0;
    for (const name of this.names.reverse()) {
      if (name === '..') steps++;
      else if (name === '.') continue;
      else if (steps > 0) steps--;
      else kept.unshift(name);
    }
    if (keepLeadingDots) kept.unshift(...Array(steps).fill('..'));
    this.names = kept;
  }

  toString() {
    return this.names.join('/');
  }
}

function withPath(url) {
  const { pathname, search } = url;
  if (pathname !== null || search !== null) url.path = `${pathname || ''}${search || ''}`;
  return url;
}

// Without slashes the host was the first name of the path, perhaps with a user before it.
function setHost(url, name) {
  const at = name ? name.indexOf('@') : -1;
  if (at > 0) {
    const [user, host] = name.split('@');
    url.auth = user;
    name = host;
  }
  url.host = url.hostname = name;
}

// Another protocol: nothing of the page stays. A link that has no host, though its protocol wants
// one, gets the first name of its path.
function toOtherProtocol(url, link) {
  if (!hasSlashes(link)) return Object.assign(url, link);
  let { pathname, host, hostname } = link;
  if (!host && !/^file:?$/.test(link.protocol) && !HOSTLESS.has(link.protocol)) {
    const names = (pathname || '').split('/');
    const first = names.findIndex((name) => name !== '');
    host = first < 0 ? '' : names[first];
    const rest = first < 0 ? [] : names.slice(first + 1);
    if (rest[0] !== '') rest.unshift('');
    if (rest.length < 2) rest.unshift('');
    pathname = rest.join('/');
    hostname ||= '';
  }
  take(url, link, ['protocol', 'auth', 'port', ...QUERY]);
  Object.assign(url, { pathname, host: host || '', hostname: hostname || host });
  url.slashes ||= link.slashes;
  if (pathname || link.search) url.path = `${pathname || ''}${link.search || ''}`;
  return url;
}

// The same protocol, or none: the parts that the link does not say are the page's.
function withinProtocol(url, link) {
  const linkIsWhole = Boolean(link.host) || isRooted(link);
  const mayClimb = !(linkIsWhole || isRooted(url) || (url.host && link.pathname));
  let mustBeRooted = !mayClimb;
  const page = Trail.of(url);
  const way = Trail.of(link);
  const hostLeads = Boolean(url.protocol) && !hasSlashes(url);

  if (hostLeads) {
    page.lead(url.host);
    Object.assign(url, { host: '', hostname: '', port: null });
    if (link.protocol) {
      way.lead(link.host);
      Object.assign(link, { host: null, hostname: null, port: null });
      url.auth = null;
    }
    mustBeRooted &&= way.names[0] === '' || page.names[0] === '';
  }

  let trail = page;
  if (linkIsWhole) {
    trail = way;
    adoptHost(url, link);
    take(url, link, QUERY);
  } else if (!way.isEmpty) {
    trail = page.follow(way);
    take(url, link, QUERY);
  } else if (link.search !== null && link.search !== undefined) {
    if (hostLeads) setHost(url, page.names.shift());
    take(url, link, QUERY);
    return withPath(url);
  }
  if (trail.isEmpty) {
    return Object.assign(url, { pathname: null, path: url.search ? `/${url.search}` : null });
  }

  const directory = trail.leadsToDirectory(Boolean(url.host || link.host));
  trail.tidy(mayClimb && !mustBeRooted);
  if (mustBeRooted && !trail.isRooted) trail.root();
  if (directory && !trail.toString().endsWith('/')) trail.names.push('');

  const rooted = trail.isRooted;
  if (hostLeads) setHost(url, rooted || trail.isEmpty ? '' : trail.names.shift());
  if ((mustBeRooted || (url.host && !trail.isEmpty)) && !rooted) trail.root();
  if (trail.isEmpty) Object.assign(url, { pathname: null, path: null });
  else url.pathname = trail.toString();
  url.auth = link.auth || url.auth;
  url.slashes ||= link.slashes;
  return withPath(url);
}

// A host that is not the page's does not get the page's user.
function adoptHost(url, link) {
  const says = (key) => Boolean(link[key]) || link[key] === '';
  for (const key of ['host', 'hostname']) {
    if (says(key) && url[key] !== link[key]) url.auth = null;
  }
  if (says('host')) take(url, link, ['host', 'port']);
  if (says('hostname')) url.hostname = link.hostname;
}

// "//host/path": all but the protocol is new.
function toOtherHost(url, link) {
  const { protocol } = url;
  Object.assign(url, link, { protocol });
  if (hasSlashes(url) && url.hostname && !url.pathname) url.path = url.pathname = '/';
  return url;
}

function resolveObject(page, link) {
  const target = typeof link === 'string' ? parse(link, false, true) : link;
  const url = Object.assign(new Url(), page, { hash: target.hash });
  if (target.href !== '') {
    if (target.slashes && !target.protocol) toOtherHost(url, target);
    else if (target.protocol && target.protocol !== url.protocol) toOtherProtocol(url, target);
    else withinProtocol(url, target);
  }
  url.href = url.format();
  return url;
}

module.exports = { resolveObject };
