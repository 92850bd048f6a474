// fs.glob and path.matchesGlob: patterns with *, ?, [], {} and **, by segments of a path.
const paths = require('path');
const { ops, runPromise, runSteps, runStepsSync, runSync } = require('internal/fs/operations');
const { validateObject, validateString } = require('internal/validators');

// `{a,b}` stands for several patterns.
function expand(pattern) {
  const match = /^(.*?)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(pattern);
  return match === null ? [pattern] : match[2].split(',').flatMap((part) => expand(match[1] + part + match[3]));
}

const SPECIAL = /[*?[]/;

// The expression of a segment. Names that begin with a dot match only patterns that do.
function toRegExp(segment) {
  const text = segment.replace(/\[!/g, '[^').replace(/\*+|\?|\[[^\]]+\]|[\\^$.|+(){}[\]]/g, (part) => {
    if (part[0] === '*') return '[^/]*';
    if (part === '?') return '[^/]';
    return part.length > 1 ? part : `\\${part}`;
  });
  return new RegExp(`^${/^[*?[]/.test(segment) ? '(?!\\.)' : ''}${text}$`, 's');
}

const compile = (pattern) => expand(pattern).map((text) => text.split('/').map((segment) => {
  if (segment === '**') return segment;
  return SPECIAL.test(segment) ? toRegExp(segment) : segment;
}));

const fits = (name, segment) => (segment instanceof RegExp ? segment.test(name) : segment === name);

function matchesSegments(names, segments) {
  if (segments.length === 0) return names.length === 0;
  const [segment, ...rest] = segments;
  if (segment !== '**') return names.length > 0 && fits(names[0], segment) && matchesSegments(names.slice(1), rest);
  if (rest.length === 0) return names.length > 0 && names.every((name) => name[0] !== '.');
  return matchesSegments(names, rest) ||
    (names.length > 0 && names[0][0] !== '.' && matchesSegments(names.slice(1), segments));
}

const matchesGlob = (path, pattern) => compile(pattern).some((segments) => matchesSegments(path.split('/'), segments));

function* statOf(path) {
  try {
    return yield ops.stat(path);
  } catch {
    return undefined;
  }
}

// Yields operations and returns the paths. `excludes` decides about each name.
function* glob(patterns, { cwd, excludes }) {
  const found = new Set();
  const visit = function* (at, segments) {
    const [segment, ...rest] = segments;
    const full = paths.resolve(cwd, at);
    const isLast = segment === '' && rest.length === 0 && at !== '';
    if (segment === undefined || isLast) {
      const stats = yield* statOf(full);
      if (isLast ? stats?.isDirectory() : stats) found.add(at || '.');
    } else if (typeof segment === 'string' && segment !== '**') {
      yield* visit(segment === '' && at === '' ? '/' : paths.join(at, segment), rest);
    } else {
      if (segment === '**') yield* visit(at, rest);
      if (!(yield* statOf(full))?.isDirectory()) return;
      for (const name of yield ops.readdir(full)) {
        const path = paths.join(at, name);
        const isWanted = segment === '**' ? name[0] !== '.' : segment.test(name);
        if (isWanted && !excludes(name, path)) yield* visit(path, segment === '**' ? segments : rest);
      }
    }
  };
  for (const segments of patterns) yield* visit('', segments);
  return [...found];
}

function globArguments(pattern, options = {}) {
  validateObject(options, 'options');
  const list = [pattern].flat();
  list.forEach((text) => validateString(text, 'patterns'));
  const { cwd = process.cwd(), exclude, withFileTypes } = options;
  const excluded = Array.isArray(exclude) ? exclude : [];
  const excludes = typeof exclude === 'function' ? (name) => exclude(name) :
    (name, path) => excluded.some((text) => matchesGlob(path, text));
  const base = cwd instanceof URL ? require('url').fileURLToPath(cwd) : String(cwd);
  const toEntry = (path) => require('internal/fs/stats').toDirent(paths.basename(path), 0, paths.dirname(path), base);
  const steps = glob(list.flatMap(compile), { cwd: base, excludes });
  return [steps, (found) => (withFileTypes ? found.map(toEntry) : found)];
}

function globSync(...args) {
  const [steps, toResult] = globArguments(...args);
  return toResult(runStepsSync(steps, runSync));
}

async function* globIterator(...args) {
  const [steps, toResult] = globArguments(...args);
  yield* toResult(await runSteps(steps, runPromise));
}

module.exports = { globIterator, globSync, matchesGlob };
