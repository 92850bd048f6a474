// fs.glob and path.matchesGlob: patterns with *, ?, [], {} and **, by segments of a path.
const paths = require('path');
const { ops, runPromise, runSteps, runStepsSync, runSync } = require('internal/fs/operations');
const { validateObject, validateString } = require('internal/validators');

const { expandGlob, fitsGlob, matchesGlob } = binding('path');
const SPECIAL = /[*?[]/;

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
    } else if (!SPECIAL.test(segment)) {
      yield* visit(segment === '' && at === '' ? '/' : paths.join(at, segment), rest);
    } else {
      if (segment === '**') yield* visit(at, rest);
      if (!(yield* statOf(full))?.isDirectory()) return;
      for (const name of yield ops.readdir(full)) {
        const path = paths.join(at, name);
        const isWanted = segment === '**' ? name[0] !== '.' : fitsGlob(name, segment);
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
  const steps = glob(list.flatMap(expandGlob), { cwd: base, excludes });
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
