// Shared by path.posix and path.win32: segments, base names and extensions.

const { validateObject, validateString } = require('internal/validators');

// Resolves "." and ".." in a list of segments. An absolute path drops ".." above
// its root, a relative path keeps it.
function resolveSegments(segments, isAbsolute) {
  const kept = [];
  for (const segment of segments) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') kept.push(segment);
    else if (kept.length > 0 && kept[kept.length - 1] !== '..') kept.pop();
    else if (!isAbsolute) kept.push('..');
  }
  return kept;
}

// The segments that lead from one absolute path to another, and how many leading
// segments they share. `normalize` maps segments to what is compared.
function relativeSegments(from, to, normalize) {
  const isShared = (i) => i < from.length && i < to.length && normalize(from[i]) === normalize(to[i]);
  let shared = 0;
  while (isShared(shared)) shared += 1;
  const segments = [...new Array(from.length - shared).fill('..'), ...to.slice(shared)];
  return { segments, shared };
}

// The bounds of the last name in `path` after `start`, without trailing separators.
function lastName(path, start, isSeparator) {
  let end = path.length;
  while (end > start && isSeparator(path.charCodeAt(end - 1))) end -= 1;
  let from = end;
  while (from > start && !isSeparator(path.charCodeAt(from - 1))) from -= 1;
  return { from, end };
}

function stripSuffix(name, suffix) {
  return suffix !== undefined && suffix.length < name.length && name.endsWith(suffix) ?
    name.slice(0, -suffix.length) : name;
}

// ".profile" and ".." have no extension, "a." has ".".
function extensionOf(name) {
  const dot = name.lastIndexOf('.');
  return dot <= 0 || name === '..' ? '' : name.slice(dot);
}

function format(separator, object) {
  validateObject(object, 'pathObject');
  const dir = object.dir || object.root;
  const { ext } = object;
  const base = object.base || `${object.name || ''}${ext ? `${ext[0] === '.' ? '' : '.'}${ext}` : ''}`;
  if (!dir) return base;
  return dir === object.root ? `${dir}${base}` : `${dir}${separator}${base}`;
}

// Checks arguments by name: checkStrings({ from, to }).
function checkStrings(args) {
  for (const [name, value] of Object.entries(args)) validateString(value, name);
}

function checkSuffix(suffix) {
  if (suffix !== undefined) validateString(suffix, 'suffix');
}

module.exports = { checkStrings, checkSuffix, extensionOf, format, lastName, relativeSegments, resolveSegments, stripSuffix };
