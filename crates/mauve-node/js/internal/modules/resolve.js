// Module resolution: files, packages, and the fields "exports" and "imports" of package.json.
const files = binding('modules');
const { codes } = require('internal/errors');
const path = require('path');

// Scripts may add extensions.
const extensions = () => Object.keys(require('internal/modules/cjs')._extensions);

// Resolves a path to a file: as it is, with an extension, or as a directory with a main file.
exports.findFile = function findFile(target, trailingSlash) {
  const kind = files.kind(target);
  if (kind === 0 && !trailingSlash) return target;
  if (!trailingSlash) {
    for (const extension of extensions()) {
      if (files.kind(target + extension) === 0) return target + extension;
    }
  }
  return kind === 1 ? findMain(target) : undefined;
};

function findMain(directory) {
  const { main } = exports.readPackage(directory) ?? {};
  if (typeof main === 'string' && main !== '') {
    const target = path.resolve(directory, main);
    const found = exports.findFile(target, false) ?? findIndex(target);
    if (found !== undefined) return found;
    const file = path.join(directory, 'package.json');
    if (findIndex(directory) !== undefined) {
      const message = `Invalid 'main' field in '${file}' of '${main}'. Please either fix that or report it to the module author`;
      require('internal/process/warning').deprecate(message, 'DEP0128');
    } else {
      const message = `Cannot find module '${target}'. Please verify that the package.json has a valid "main" entry`;
      throw Object.assign(new Error(message), { code: 'MODULE_NOT_FOUND', path: file, requestPath: directory });
    }
  }
  return findIndex(directory);
}

function findIndex(directory) {
  for (const extension of extensions()) {
    const file = path.join(directory, `index${extension}`);
    if (files.kind(file) === 0) return file;
  }
  return undefined;
}

const packages = new Map();

// The package.json of a directory, or undefined.
exports.readPackage = function readPackage(directory) {
  if (packages.has(directory)) return packages.get(directory);
  const file = path.join(directory, 'package.json');
  let content;
  if (files.kind(file) === 0) {
    try {
      content = JSON.parse(files.read(file));
    } catch (error) {
      error.message = `Error parsing ${file}: ${error.message}`;
      error.path = file;
      throw error;
    }
  }
  packages.set(directory, content);
  return content;
};

// The nearest package.json in the parent directories of a file.
exports.findPackageScope = function findPackageScope(file) {
  for (let directory = path.dirname(file); ; directory = path.dirname(directory)) {
    const content = exports.readPackage(directory);
    if (content !== undefined) return { directory, content };
    if (directory === path.dirname(directory)) return undefined;
  }
};

// Whether a file is an ES module by its name or its package.
exports.isEsm = function isEsm(file) {
  if (file.endsWith('.mjs')) return true;
  return typeOf(file) === 'module';
};

// Whether a file whose package does not say what it is has the syntax of an ES module. An `await` decides if the
// text is not valid in a CommonJS module.
exports.isEsmText = function isEsmText(file, text) {
  if (typeOf(file) !== undefined) return false;
  const syntax = files.moduleSyntax(text);
  if (syntax !== 2) return syntax === 1;
  try {
    binding('host').compileFunction(exports.commentHashbang(text), file, '');
    return false;
  } catch {
    return true;
  }
};

// Replaces the hashbang by a comment of the same length, so that line numbers stay the same.
exports.commentHashbang = function commentHashbang(text) {
  text = text.replace(/^\uFEFF/, '');
  return text.startsWith('#!') ? `//${text.slice(2)}` : text;
};

function typeOf(file) {
  if (!file.endsWith('.js') && path.extname(file) !== '') return 'commonjs';
  return exports.findPackageScope(file)?.content.type;
}

// The node_modules directories that are searched, the innermost first.
exports.nodeModulePaths = (from) => files.nodeModulePaths(from);

// Resolves `name` or `name/sub/path` in a package, by its "exports" if it has any.
exports.resolvePackage = function resolvePackage(specifier, from, conditions) {
  const parts = specifier.split('/');
  const name = specifier.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0];
  const rest = specifier.slice(name.length);
  const self = exports.findPackageScope(path.join(from, 'x'));
  if (self !== undefined && self.content.name === name && self.content.exports !== undefined) {
    return resolveExports(self.directory, self.content, rest, conditions);
  }
  for (const directory of exports.nodeModulePaths(from)) {
    const packageDirectory = path.join(directory, name);
    if (files.kind(packageDirectory) === 1) {
      const content = exports.readPackage(packageDirectory);
      if (content?.exports !== undefined && content.exports !== null) return resolveExports(packageDirectory, content, rest, conditions);
    }
    const found = exports.findFile(path.join(directory, specifier), specifier.endsWith('/'));
    if (found !== undefined) return found;
  }
  return undefined;
};

function resolveExports(directory, content, rest, conditions) {
  const subpath = `.${rest}`;
  let table = content.exports;
  if (typeof table === 'string' || Array.isArray(table) ||
      !Object.keys(table).some((key) => key.startsWith('.'))) {
    table = { '.': table };
  }
  const target = matchPattern(table, subpath, conditions);
  if (target === undefined) throw new codes.ERR_PACKAGE_PATH_NOT_EXPORTED(directory, subpath);
  return path.resolve(directory, target);
}

function matchPattern(table, subpath, conditions) {
  if (subpath in table) return resolveTarget(table[subpath], '', conditions);
  let best;
  for (const key of Object.keys(table)) {
    const star = key.indexOf('*');
    if (star < 0) continue;
    const [head, tail] = [key.slice(0, star), key.slice(star + 1)];
    if (subpath.startsWith(head) && subpath.endsWith(tail) &&
        subpath.length >= key.length && (best === undefined || head.length > best.head.length)) {
      best = { head, key, part: subpath.slice(head.length, subpath.length - tail.length) };
    }
  }
  return best && resolveTarget(table[best.key], best.part, conditions);
}

function resolveTarget(target, part, conditions) {
  if (typeof target === 'string') return target.replaceAll('*', part);
  if (Array.isArray(target)) {
    for (const candidate of target) {
      const resolved = resolveTarget(candidate, part, conditions);
      if (resolved !== undefined) return resolved;
    }
    return undefined;
  }
  if (target === null || typeof target !== 'object') return undefined;
  for (const [condition, value] of Object.entries(target)) {
    if (condition === 'default' || conditions.has(condition)) {
      const resolved = resolveTarget(value, part, conditions);
      if (resolved !== undefined) return resolved;
    }
  }
  return undefined;
}

// Resolves a "#name" specifier by the "imports" of the enclosing package.
exports.resolveImports = function resolveImports(specifier, from, conditions) {
  const scope = exports.findPackageScope(path.join(from, 'x'));
  const target = scope?.content.imports && matchPattern(scope.content.imports, specifier, conditions);
  if (target === undefined) throw new codes.ERR_PACKAGE_IMPORT_NOT_DEFINED(specifier, scope?.directory);
  return target.startsWith('./') ? path.resolve(scope.directory, target) : target;
};
