// The CommonJS loader: require() and the class Module.
const files = binding('modules');
const { codes } = require('internal/errors');
const { compileFunction, runScript } = binding('host');
const path = require('path');
const registry = require('internal/modules/registry');
const resolve = require('internal/modules/resolve');
const stack = require('internal/stack');
const flags = require('internal/options');
const PARAMETERS = 'exports, require, module, __filename, __dirname';
const CONDITIONS = new Set(['node', 'require', 'module-sync']);

function Module(id = '', parent) {
  this.id = id;
  this.path = path.dirname(id);
  this.exports = {};
  Object.defineProperty(this, 'parent', { value: parent, writable: true, configurable: true });
  this.filename = null;
  this.loaded = false;
  this.children = [];
  if (parent?.children && !parent.children.includes(this)) parent.children.push(this);
}

Module._cache = Object.create(null);
Module._pathCache = Object.create(null);
Module.Module = Module;

Module._extensions = Object.create(null);
Module._extensions['.js'] = function loadJs(module, filename) {
  if (resolve.isEsm(filename)) require('internal/modules/esm').requireEsm(module, filename);
  else module._compile(readText(filename), filename);
};
Module._extensions['.json'] = function loadJson(module, filename) {
  try {
    module.exports = JSON.parse(readText(filename).replace(/^\uFEFF/, ''));
  } catch (error) {
    error.message = `${filename}: ${error.message}`;
    throw error;
  }
};
Module._extensions['.node'] = function loadAddon(module, filename) { return process.dlopen(module, filename); };

function readText(filename) {
  try {
    return files.read(filename);
  } catch (errno) {
    throw require('internal/errors').uvException({ errno, syscall: 'open', path: filename });
  }
}

Module.prototype.load = function load(filename) {
  this.filename = filename;
  this.paths = resolve.nodeModulePaths(path.dirname(filename));
  (Module._extensions[path.extname(filename)] ?? Module._extensions['.js'])(this, filename);
  this.loaded = true;
};

Module.prototype._compile = function compile(text, filename) {
  let run;
  try {
    run = compileWrapped(resolve.commentHashbang(text), filename);
  } catch (error) {
    if (error?.name !== 'SyntaxError' || !resolve.isEsmText(filename, text)) throw error;
    return require('internal/modules/esm').requireEsm(this, filename);
  }
  stack.wrapped.add(filename);
  const requireFrom = makeRequire(this);
  return Reflect.apply(run, this.exports,
    [this.exports, requireFrom, this, filename, path.dirname(filename)]);
};

// Scripts may replace the text around a module.
const WRAPPER = [`(function (${PARAMETERS}) { `, '\n});'];
Module.wrapper = [...WRAPPER];
Module.wrap = (script) => `${Module.wrapper[0]}${script}${Module.wrapper[1]}`;
const originalWrap = Module.wrap;

function compileWrapped(text, filename) {
  const isReplaced = Module.wrap !== originalWrap || WRAPPER.some((part, index) => Module.wrapper[index] !== part);
  return isReplaced ? runScript(Module.wrap(text), filename) : compileFunction(text, filename, PARAMETERS);
}

Module.prototype.require = function requireMember(id) {
  const { validateString } = require('internal/validators');
  validateString(id, 'id');
  if (id === '') throw new codes.ERR_INVALID_ARG_VALUE('id', id, 'must be a non-empty string');
  return Module._load(id, this, false);
};

Module._load = function load(request, parent, isMain) {
  const builtin = registry.builtinId(request);
  if (builtin !== undefined) {
    // A script may replace a built-in module, except by its name with `node:`.
    if (!request.startsWith('node:') && Module._cache[request] !== undefined) return Module._cache[request].exports;
    return registry.requireBuiltin(builtin);
  }
  const filename = Module._resolveFilename(request, parent, isMain);
  if (registry.builtinId(filename) !== undefined && !path.isAbsolute(filename)) return registry.requireBuiltin(registry.builtinId(filename));
  const cached = Module._cache[filename];
  if (cached !== undefined) {
    if (!cached.loaded && resolve.isEsm(filename)) throw new codes.ERR_REQUIRE_CYCLE_MODULE(filename, cached.parent?.filename);
    if (parent?.children && !parent.children.includes(cached)) parent.children.push(cached);
    return cached.exports;
  }
  const module = new Module(filename, parent);
  if (isMain) {
    process.mainModule = module;
    module.id = '.';
  }
  Module._cache[filename] = module;
  let failed = true;
  try {
    module.load(filename);
    failed = false;
  } finally {
    if (failed) {
      delete Module._cache[filename];
      const index = parent?.children?.indexOf(module) ?? -1;
      if (index >= 0) parent.children.splice(index, 1);
    }
  }
  return module.exports;
};

Module._resolveFilename = function resolveFilename(request, parent, isMain, options) {
  if (registry.builtinId(request) !== undefined) return request;
  registry.checkSupported(request);
  if (options?.paths !== undefined && !Array.isArray(options.paths)) throw new codes.ERR_INVALID_ARG_VALUE('options.paths', options.paths);
  const bases = options?.paths ?? [parent?.filename ? path.dirname(parent.filename) : process.cwd()];
  for (const base of bases) {
    const found = resolveFrom(request, base);
    if (found !== undefined) {
      const isLinkKept = flags.has(isMain ? '--preserve-symlinks-main' : '--preserve-symlinks');
      return path.isAbsolute(found) && !isLinkKept ? files.realPath(found) : found;
    }
  }
  throw notFound(request, parent);
};

function resolveFrom(request, base) {
  if (request.startsWith('#')) return resolve.resolveImports(request, base, CONDITIONS);
  if (path.isAbsolute(request) || /^\.\.?(\/|$)/.test(request)) {
    const trailing = /(^|\/)\.{0,2}\/?$/.test(request) && /(\/|^\.|\.\.)$/.test(request);
    return resolve.findFile(path.resolve(base, request), trailing);
  }
  return resolve.resolvePackage(request, base, CONDITIONS) ?? findGlobally(request);
}

// Looks in the directories of NODE_PATH and in those of the home directory.
function findGlobally(request) {
  for (const directory of Module.globalPaths) {
    const found = resolve.findFile(path.join(directory, request), request.endsWith('/'));
    if (found !== undefined) return found;
  }
  return undefined;
}

Module._initPaths = function initPaths() {
  const { HOME, NODE_PATH = '' } = process.env;
  const home = HOME ? [path.resolve(HOME, '.node_modules'), path.resolve(HOME, '.node_libraries')] : [];
  const prefix = path.resolve(process.execPath, '..', '..', 'lib', 'node');
  Module.globalPaths = [...NODE_PATH.split(':').filter(Boolean), ...home, prefix];
};
Module._initPaths();

function notFound(request, parent) {
  const requireStack = [];
  for (let cursor = parent; cursor; cursor = cursor.parent) requireStack.push(cursor.filename || cursor.id);
  let message = `Cannot find module '${request}'`;
  if (requireStack.length > 0) message += `\nRequire stack:\n- ${requireStack.join('\n- ')}`;
  const error = new Error(message);
  error.code = 'MODULE_NOT_FOUND';
  error.requireStack = requireStack;
  return error;
}

function makeRequire(module) {
  function requireFrom(id) { return module.require(id); }
  requireFrom.resolve = (request, options) => {
    require('internal/validators').validateString(request, 'request');
    return Module._resolveFilename(request, module, false, options);
  };
  requireFrom.resolve.paths = (request) => {
    require('internal/validators').validateString(request, 'request');
    if (registry.builtinId(request) !== undefined) return null;
    if (/^\.\.?(\/|$)/.test(request)) return [module.path];
    return [...resolve.nodeModulePaths(module.path), ...Module.globalPaths];
  };
  requireFrom.main = process.mainModule;
  requireFrom.extensions = Module._extensions;
  requireFrom.cache = Module._cache;
  Object.defineProperty(requireFrom, 'name', { value: 'require' });
  return requireFrom;
}

Module._nodeModulePaths = resolve.nodeModulePaths;
Object.defineProperty(Module, 'builtinModules', { enumerable: true, get: () => registry.names() });
Module.isBuiltin = (name) => registry.builtinId(String(name)) !== undefined;
Module.createRequire = function createRequire(filename) {
  let file = filename;
  const isUrl = require('url').URL && file instanceof URL;
  if (isUrl || (typeof file === 'string' && file.startsWith('file:'))) {
    file = require('url').fileURLToPath(file);
  } else if (typeof file !== 'string' || !path.isAbsolute(file)) {
    throw new codes.ERR_INVALID_ARG_VALUE('filename', filename,
      'must be a file URL object, file URL string, or absolute path string');
  }
  const module = new Module(file);
  module.paths = resolve.nodeModulePaths(path.dirname(file));
  module.filename = file;
  return makeRequire(module);
};
Module.syncBuiltinESMExports = () => {};
Module.runMain = (main = process.argv[1]) => require('internal/modules/main').run(main);

require('internal/errors').refuse(Module, 'Module',
  ['SourceMap', '_debug', '_findPath', '_preloadModules', '_resolveLookupPaths', 'findSourceMap', 'register']);

module.exports = Module;
