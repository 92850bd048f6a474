// The older url.resolve: a link followed from a page, on `Url` objects.

const { HOSTLESS, SLASHED, Url, parse } = require('internal/url_legacy');

function finish(result) {
  result.href = result.format();
  return result;
}

function setPath(result) {
  if (result.pathname !== null || result.search !== null) {
    result.path = (result.pathname ? result.pathname : '') + (result.search ? result.search : '');
  }
}

function copyQuery(result, relative) {
  result.search = relative.search;
  result.query = relative.query;
}

// A link with another protocol takes nothing over but, for lack of a host, the
// first name of its path as one.
function resolveProtocol(result, relative) {
  if (!SLASHED.has(relative.protocol)) return finish(Object.assign(result, relative));
  result.protocol = relative.protocol;
  result.pathname = relative.pathname;
  if (!relative.host && !/^file:?$/.test(relative.protocol) && !HOSTLESS.has(relative.protocol)) {
    const names = (relative.pathname || '').split('/');
    while (names.length > 0 && !(relative.host = names.shift()));
    relative.host ||= '';
    relative.hostname ||= '';
    if (names[0] !== '') names.unshift('');
    if (names.length < 2) names.unshift('');
    result.pathname = names.join('/');
  }
  copyQuery(result, relative);
  result.host = relative.host || '';
  result.auth = relative.auth;
  result.hostname = relative.hostname || relative.host;
  result.port = relative.port;
  if (result.pathname || result.search) result.path = (result.pathname || '') + (result.search || '');
  result.slashes ||= relative.slashes;
  return finish(result);
}

// Protocols without slashes keep their host as the first name of the path.
function hostIntoPath(url, names) {
  if (!url.host) return;
  if (names[0] === '') names[0] = url.host;
  else names.unshift(url.host);
}

function hostFromPath(result, name) {
  result.hostname = name;
  result.host = name;
  const parts = name && name.indexOf('@') > 0 && name.split('@');
  if (parts) {
    result.auth = parts.shift();
    result.host = result.hostname = parts.shift();
  }
}

// Removes "." and what ".." undoes; returns how many ".." are left over.
function removeDots(names) {
  let up = 0;
  for (let i = names.length - 1; i >= 0; i--) {
    if (names[i] === '.') {
      names.splice(i, 1);
    } else if (names[i] === '..') {
      names.splice(i, 1);
      up += 1;
    } else if (up > 0) {
      names.splice(i, 1);
      up -= 1;
    }
  }
  return up;
}

function endsInDirectory(result, relative, names) {
  const last = names[names.length - 1];
  const dots = last === '.' || last === '..';
  return ((result.host || relative.host || names.length > 1) && dots) || last === '';
}

function takeHost(result, relative) {
  if (relative.host || relative.host === '') {
    if (result.host !== relative.host) result.auth = null;
    result.host = relative.host;
    result.port = relative.port;
  }
  if (relative.hostname || relative.hostname === '') {
    if (result.hostname !== relative.hostname) result.auth = null;
    result.hostname = relative.hostname;
  }
}

function resolveNames(result, relative) {
  const startsAtRoot = (url) => Boolean(url.pathname) && url.pathname.startsWith('/');
  const relativeAbsolute = Boolean(relative.host) || startsAtRoot(relative);
  let mustBeAbsolute = relativeAbsolute || startsAtRoot(result) || Boolean(result.host && relative.pathname);
  const removeAll = mustBeAbsolute;
  let names = (result.pathname && result.pathname.split('/')) || [];
  const added = (relative.pathname && relative.pathname.split('/')) || [];
  const hostInPath = result.protocol && !SLASHED.has(result.protocol);

  if (hostInPath) {
    result.hostname = '';
    result.port = null;
    hostIntoPath(result, names);
    result.host = '';
    if (relative.protocol) {
      relative.hostname = null;
      relative.port = null;
      result.auth = null;
      hostIntoPath(relative, added);
      relative.host = null;
    }
    mustBeAbsolute = mustBeAbsolute && (added[0] === '' || names[0] === '');
  }

  if (relativeAbsolute) {
    takeHost(result, relative);
    copyQuery(result, relative);
    names = added;
  } else if (added.length > 0) {
    names.pop();
    names = names.concat(added);
    copyQuery(result, relative);
  } else if (relative.search !== null && relative.search !== undefined) {
    if (hostInPath) hostFromPath(result, names.shift());
    copyQuery(result, relative);
    setPath(result);
    return finish(result);
  }
  if (names.length === 0) {
    result.pathname = null;
    result.path = result.search ? `/${result.search}` : null;
    return finish(result);
  }

  const isDirectory = endsInDirectory(result, relative, names);
  const up = removeDots(names);
  if (!mustBeAbsolute && !removeAll) names.unshift(...Array(up).fill('..'));
  if (mustBeAbsolute && names[0] !== '' && (!names[0] || !names[0].startsWith('/'))) names.unshift('');
  if (isDirectory && !names.join('/').endsWith('/')) names.push('');

  const isAbsolute = names[0] === '' || Boolean(names[0]?.startsWith('/'));
  if (hostInPath) hostFromPath(result, isAbsolute || names.length === 0 ? '' : names.shift());
  mustBeAbsolute ||= Boolean(result.host && names.length > 0);
  if (mustBeAbsolute && !isAbsolute) names.unshift('');

  if (names.length === 0) {
    result.pathname = null;
    result.path = null;
  } else {
    result.pathname = names.join('/');
  }
  setPath(result);
  result.auth = relative.auth || result.auth;
  result.slashes ||= relative.slashes;
  return finish(result);
}

function resolveObject(source, relative) {
  if (typeof relative === 'string') relative = parse(relative, false, true);
  const result = Object.assign(new Url(), source);
  result.hash = relative.hash;
  if (relative.href === '') return finish(result);
  // "//host/path": all but the protocol is new.
  if (relative.slashes && !relative.protocol) {
    for (const key of Object.keys(relative)) if (key !== 'protocol') result[key] = relative[key];
    if (SLASHED.has(result.protocol) && result.hostname && !result.pathname) result.path = result.pathname = '/';
    return finish(result);
  }
  if (relative.protocol && relative.protocol !== result.protocol) return resolveProtocol(result, relative);
  return resolveNames(result, relative);
}

module.exports = { resolveObject };
