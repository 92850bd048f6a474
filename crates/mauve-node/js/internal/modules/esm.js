// The ES module loader: resolves specifiers and loads sources. The engine links and evaluates the modules.
// Built-in and CommonJS modules are imported through synthetic modules.

const files = binding('modules');
const path = require('path');
const registry = require('internal/modules/registry');
const resolve = require('internal/modules/resolve');

const CONDITIONS = new Set(['node', 'import', 'module-sync']);

// Resolves the specifier `name` in the module `base` to a path or a `node:` id.
exports.resolveImport = function resolveImport(base, name) {
  const { codes } = require('internal/errors');
  const builtin = registry.builtinId(name);
  if (builtin !== undefined) return `node:${builtin}`;
  registry.checkSupported(name);
  if (name.startsWith('data:')) return name;
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
    if (kind !== 0) throw new codes.ERR_MODULE_NOT_FOUND(found, base);
  } else {
    found = resolve.resolvePackage(target, directory, CONDITIONS);
    if (found === undefined) throw new codes.ERR_MODULE_NOT_FOUND(target, base, 'package');
  }
  return files.realPath(found);
};

// The error for a directory, with the file that require() would find.
function directoryError(found, base, directory) {
  const { codes } = require('internal/errors');
  const error = new codes.ERR_UNSUPPORTED_DIR_IMPORT(found, base);
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
    return synthetic(registry.requireBuiltin(name.slice(5)), true);
  }
  if (name.startsWith('data:')) return fromData(name);
  if (name.endsWith('.json')) {
    if (type !== 'json') {
      const { codes } = require('internal/errors');
      throw new codes.ERR_IMPORT_ASSERTION_TYPE_MISSING(fileUrl(name), 'type', 'json');
    }
    return { source: `export default ${files.read(name)};`, meta: {} };
  }
  const isEsm = resolve.isEsm(name) || (!/\.(js|cjs)$/.test(name) && path.extname(name) !== '');
  if (!isEsm) {
    const Module = require('internal/modules/cjs');
    return synthetic(Module._load(name, undefined, false), true);
  }
  return exports.esmFile(name, files.read(name));
};

// The source and the import.meta of a file.
exports.esmFile = function esmFile(file, source) {
  return {
    source: source.startsWith('#!') ? `//${source.slice(2)}` : source,
    meta: {
      dirname: path.dirname(file),
      filename: file,
      resolve: (name) => {
        const found = exports.resolveImport(file, name);
        return found.startsWith('node:') ? found : fileUrl(found);
      },
      url: fileUrl(file),
    },
  };
};

function fileUrl(file) {
  return require('url').pathToFileURL(file).href;
}

function fromData(name) {
  const match = /^data:text\/javascript(;[^,]*)?,(.*)$/s.exec(name);
  if (match === null) throw new Error(`Unknown module format: ${name}`);
  const source = /;base64/.test(match[1] ?? '') ? require('buffer').atob(match[2])
    : decodeURIComponent(match[2]);
  return { source, meta: { url: name } };
}

// A synthetic module exports the properties of a value. Its source takes the value from this table.
const syntheticValues = new Map();
let lastSyntheticId = 0;

const kFetch = Symbol.for('mauve.module.fetch');
Object.defineProperty(globalThis, kFetch, {
  enumerable: false,
  value: (id) => {
    const value = syntheticValues.get(id);
    syntheticValues.delete(id);
    return value;
  },
});

function synthetic(value, withDefault) {
  const id = ++lastSyntheticId;
  syntheticValues.set(id, value);
  const lines = [`const value = globalThis[Symbol.for('mauve.module.fetch')](${id});`];
  if (withDefault) lines.push('export default value;');
  if (value !== null && (typeof value === 'object' || typeof value === 'function')) {
    let number = 0;
    for (const name of Object.keys(value)) {
      if (name === 'default' || !isIdentifier(name)) continue;
      const local = `v${number++}`;
      lines.push(`const ${local} = value.${name}; export { ${local} as ${name} };`);
    }
  }
  return { source: lines.join('\n'), meta: {} };
}

const isIdentifier = (name) => /^[A-Za-z_$][\w$]*$/.test(name);
