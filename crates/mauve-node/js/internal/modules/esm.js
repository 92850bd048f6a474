// The ES module loader: resolves specifiers and loads sources. The engine links and evaluates the modules.
// Built-in and CommonJS modules are imported through synthetic modules.
const files = binding('modules');
const { codes } = require('internal/errors');
const { evaluateNow } = binding('host');
const path = require('path');
const registry = require('internal/modules/registry');
const resolve = require('internal/modules/resolve');
const CONDITIONS = new Set(['node', 'import', 'module-sync']);

// The static imports of each module, and the modules whose bodies have started and are running.
const imports = new Map();
const started = new Set();
const running = new Set();

// Whether a module, or one that it imports, has a property.
function someInGraph(name, has, visited = new Set()) {
  if (has(name)) return true;
  if (visited.has(name)) return false;
  visited.add(name);
  return [...imports.get(name) ?? []].some((other) => someInGraph(other, has, visited));
}

const hasAwait = (name) => imports.has(name) && path.isAbsolute(name) && files.hasTopLevelAwait(files.read(name));

// The engine cannot link a module that is running. One that has failed has no function on the stack.
function isRunning(name) {
  return running.has(name) && (!imports.has(name) || someInGraph(name, hasAwait) || fullStack().includes(`(${name}:`));
}

function fullStack() {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Object.assign(Error, { prepareStackTrace: undefined, stackTraceLimit: Infinity });
  const { stack } = new Error();
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  return stack;
}

// The engine calls this for each import. Those of a module that has not started are static.
exports.resolveImport = function resolveImport(base, name) {
  const found = resolveName(base, name);
  if (!started.has(base)) imports.set(base, (imports.get(base) ?? new Set()).add(found));
  return found;
};

// Resolves the specifier `name` in the module `base` to a path or a `node:` id.
function resolveName(base, name) {
  if (base.startsWith('evalmachine.')) throw new codes.ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING();
  const builtin = registry.builtinId(name);
  if (builtin !== undefined) return `node:${builtin}`;
  registry.checkSupported(name);
  if (name.startsWith('data:') || name.startsWith(START)) return name;
  const directory = path.isAbsolute(base) ? path.dirname(base) : process.cwd();
  let target = name;
  if (target.startsWith('#')) target = resolve.resolveImports(target, directory, CONDITIONS);
  if (registry.builtinId(target) !== undefined) return `node:${registry.builtinId(target)}`;
  if (target.startsWith('file:')) target = require('url').fileURLToPath(target);
  let found;
  if (path.isAbsolute(target) || /^\.\.?(\/|$)/.test(target)) {
    found = path.resolve(directory, target.replace(/[?#].*$/, ''));
    const kind = files.kind(found);
    if (kind === 1) throw directoryError(found, base, directory);
    if (kind !== 0) throw Object.assign(new codes.ERR_MODULE_NOT_FOUND(found, base), { url: fileUrl(found) });
  } else {
    found = resolve.resolvePackage(target, directory, CONDITIONS);
    if (found === undefined) throw new codes.ERR_MODULE_NOT_FOUND(target, base, 'package');
  }
  return files.realPath(found);
}

// The error for a directory, with the file that require() would find.
function directoryError(found, base, directory) {
  const error = Object.assign(new codes.ERR_UNSUPPORTED_DIR_IMPORT(found, base), { url: fileUrl(found) });
  const file = resolve.findFile(found, true);
  if (file === undefined) return error;
  const relative = path.relative(directory, files.realPath(file));
  const hint = relative.startsWith('.') ? relative : `./${relative}`;
  error.message += `\nDid you mean to import ${JSON.stringify(hint)}?`;
  return error;
}

// Returns the source of a module and its import.meta.
exports.loadImport = function loadImport(name, type) {
  if (name.startsWith('node:')) {
    const builtin = registry.requireBuiltin(name.slice(5));
    return synthetic(name, Object.keys(builtin), () => builtin);
  }
  if (name.startsWith('data:')) return fromData(name);
  if (name.startsWith(START)) return synthetic(name, [], () => start(name.slice(START.length)));
  if (name.endsWith('.json')) {
    if (type !== 'json') throw new codes.ERR_IMPORT_ASSERTION_TYPE_MISSING(fileUrl(name), 'type', 'json');
    return { source: `export default ${files.read(name)};`, meta: {} };
  }
  const isEsm = resolve.isEsm(name) || (!/\.(js|cjs)$/.test(name) && path.extname(name) !== '');
  const source = isEsm || files.kind(name) === 0 ? files.read(name) : '';
  if (isEsm || resolve.isEsmText(name, source)) return exports.esmFile(name, source);
  const Module = require('internal/modules/cjs');
  return synthetic(name, [...namesOf(name)], () => Module._load(name, undefined, false), WHOLE);
};

// Evaluates an ES module for require(), which cannot wait for it. Compilers look for `__esModule`.
exports.requireEsm = function requireEsm(module, file) {
  const from = JSON.stringify(file);
  const before = [...running];
  const caller = module.parent?.filename;
  const evaluate = (name, source) => evaluateNow(name, source, () => {
    if (someInGraph(file, isRunning)) throw new codes.ERR_REQUIRE_CYCLE_MODULE(file, caller);
    if (someInGraph(file, hasAwait)) throw new codes.ERR_REQUIRE_ASYNC_MODULE(caller, file);
  });
  let namespace;
  try {
    namespace = evaluate(`require ${file}`, `export * as namespace from ${from};`)?.namespace;
  } finally {
    // A body that throws does not end.
    running.clear();
    for (const name of before) running.add(name);
  }
  if (namespace === undefined) throw new codes.ERR_REQUIRE_ASYNC_MODULE(caller, file);
  if ('module.exports' in namespace) module.exports = namespace['module.exports'];
  else if (!('default' in namespace) || '__esModule' in namespace) module.exports = namespace;
  else {
    const marked = `export * from ${from}; export { default } from ${from}; export const __esModule = true;`;
    module.exports = evaluate(`require ${file} with a default`, marked);
  }
};

// The source and the import.meta of a file.
exports.esmFile = function esmFile(file, source) {
  return {
    source: withMarks(file, resolve.commentHashbang(source)),
    meta: {
      dirname: path.dirname(file),
      filename: file,
      resolve: (name) => {
        // A path or a URL need not exist.
        if (/^(\.{0,2}\/|[a-z]+:)/.test(name)) return new URL(name, fileUrl(file)).href;
        const found = resolveName(file, name);
        return found.startsWith('node:') ? found : fileUrl(found);
      },
      url: fileUrl(file),
    },
  };
};

// Scripts cannot guess it, so they cannot mark a module. A wrong mark would crash the engine.
const secret = Math.random();
const START = `mauve:start ${secret} `;

// The last import of a module is evaluated right before its body.
function withMarks(name, source) {
  const [mark, text] = [JSON.stringify(START + name), JSON.stringify(name)];
  return `${source}\nimport ${mark}; globalThis[Symbol.for('mauve.module.end')](${text}, ${secret});`;
}

Object.defineProperty(globalThis, Symbol.for('mauve.module.end'), {
  enumerable: false,
  value: (name, key) => { if (key === secret) running.delete(name); },
});

function start(name) {
  started.add(name);
  running.add(name);
}

function fileUrl(file) { return require('url').pathToFileURL(file).href; }

function fromData(name) {
  const match = /^data:text\/javascript(;[^,]*)?,(.*)$/s.exec(name);
  if (match === null) throw new Error(`Unknown module format: ${name}`);
  const source = /;base64/.test(match[1] ?? '') ? require('buffer').atob(match[2])
    : decodeURIComponent(match[2]);
  return { source: withMarks(name, source), meta: { url: name } };
}

// The names that a CommonJS module exports, as its text shows them: it runs later, in its turn.
function namesOf(file, names = new Set(), visited = new Set()) {
  if (visited.has(file) || files.kind(file) !== 0) return names;
  visited.add(file);
  const [own, reexports] = files.exportNames(files.read(file));
  for (const name of own) names.add(name);
  for (const request of reexports) {
    let found;
    try {
      found = require('internal/modules/cjs')._resolveFilename(request, { filename: file }, false);
    } catch {
      // The module itself fails when it runs.
      continue;
    }
    if (/^\/.*(\.c?js|\/[^.]*)$/.test(found)) namesOf(found, names, visited);
  }
  return names;
}

// A synthetic module exports properties of a value, which it loads when it is evaluated.
const loads = new Map();
Object.defineProperty(globalThis, Symbol.for('mauve.module.evaluate'), {
  enumerable: false,
  value: (name) => {
    const { names, load } = loads.get(name);
    loads.delete(name);
    running.add(name);
    try {
      const value = load();
      return [value, ...names.map((key) => propertyOf(value, key))];
    } finally {
      running.delete(name);
    }
  },
});

function propertyOf(value, key) {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return undefined;
  try {
    return value[key];
  } catch {
    return undefined;
  }
}

// The name that a CommonJS module exports its value by, beside 'default'.
const WHOLE = 'module.exports';

function synthetic(name, keys, load, whole = undefined) {
  const names = keys.filter((key) => key !== 'default' && key !== whole);
  loads.set(name, { names, load });
  const locals = names.map((_, index) => `v${index}`);
  const exported = names.map((key, index) => `v${index} as ${JSON.stringify(key)}`);
  return {
    source: `const [value, ${locals}] = globalThis[Symbol.for('mauve.module.evaluate')](${JSON.stringify(name)});
export { value as default, ${whole === undefined ? '' : `value as '${whole}',`} ${exported} };`,
    meta: {},
  };
}
