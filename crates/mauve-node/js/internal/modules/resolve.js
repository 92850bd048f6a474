// Which file a name means: the rules of require, which import shares for the most part.

const files = binding('modules');
const path = require('path');

const EXTENSIONS = ['.js', '.json', '.cjs', '.mjs'];

// The file that a path leads to: itself, with an extension, or the main file of a directory.
exports.findFile = function findFile(target, trailingSlash) {
  const kind = files.kind(target);
  if (kind === 0 && !trailingSlash) return target;
  if (!trailingSlash) {
    for (const extension of EXTENSIONS) {
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
  }
  return findIndex(directory);
}

function findIndex(directory) {
  for (const extension of EXTENSIONS) {
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

// The nearest package.json around a file.
exports.packageOf = function packageOf(file) {
  for (let directory = path.dirname(file); ; directory = path.dirname(directory)) {
    const content = exports.readPackage(directory);
    if (content !== undefined) return { directory, content };
    if (directory === path.dirname(directory)) return undefined;
  }
};

// Whether a file holds a module of the import kind.
exports.isEsm = function isEsm(file) {
  if (file.endsWith('.mjs')) return true;
  if (!file.endsWith('.js')) return false;
  return exports.packageOf(file)?.content.type === 'module';
};

// The directories in which packages are looked for, from the inside out.
exports.nodeModules = function nodeModules(from) {
  const list = [];
  for (let directory = from; ; directory = path.dirname(directory)) {
    if (path.basename(directory) !== 'node_modules') list.push(path.join(directory, 'node_modules'));
    if (directory === path.dirname(directory)) return list;
  }
};

// A package's file: `name` or `name/sub/path`, by its "exports" if it has any.
exports.findInPackages = function findInPackages(specifier, from, conditions) {
  const parts = specifier.split('/');
  const name = specifier.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0];
  const rest = specifier.slice(name.length);
  const self = exports.packageOf(path.join(from, 'x'));
  if (self !== undefined && self.content.name === name && self.content.exports !== undefined) {
    return exported(self.directory, self.content, rest, conditions);
  }
  for (const directory of exports.nodeModules(from)) {
    const place = path.join(directory, name);
    if (files.kind(place) === 1) {
      const content = exports.readPackage(place);
      if (content?.exports !== undefined && content.exports !== null) {
        return exported(place, content, rest, conditions);
      }
    }
    const found = exports.findFile(path.join(directory, specifier), specifier.endsWith('/'));
    if (found !== undefined) return found;
  }
  return undefined;
};

function exported(directory, content, rest, conditions) {
  const wanted = `.${rest}`;
  let table = content.exports;
  if (typeof table === 'string' || Array.isArray(table) ||
      !Object.keys(table).some((key) => key.startsWith('.'))) {
    table = { '.': table };
  }
  const target = match(table, wanted, conditions);
  if (target === undefined) {
    const { codes } = require('internal/errors');
    throw new codes.ERR_PACKAGE_PATH_NOT_EXPORTED(directory, wanted);
  }
  return path.resolve(directory, target);
}

function match(table, wanted, conditions) {
  if (wanted in table) return choose(table[wanted], '', conditions);
  let best;
  for (const key of Object.keys(table)) {
    const star = key.indexOf('*');
    if (star < 0) continue;
    const [head, tail] = [key.slice(0, star), key.slice(star + 1)];
    if (wanted.startsWith(head) && wanted.endsWith(tail) &&
        wanted.length >= key.length && (best === undefined || head.length > best.head.length)) {
      best = { head, key, part: wanted.slice(head.length, wanted.length - tail.length) };
    }
  }
  return best && choose(table[best.key], best.part, conditions);
}

function choose(target, part, conditions) {
  if (typeof target === 'string') return target.replaceAll('*', part);
  if (Array.isArray(target)) {
    for (const one of target) {
      const chosen = choose(one, part, conditions);
      if (chosen !== undefined) return chosen;
    }
    return undefined;
  }
  if (target === null || typeof target !== 'object') return undefined;
  for (const [condition, value] of Object.entries(target)) {
    if (condition === 'default' || conditions.has(condition)) {
      const chosen = choose(value, part, conditions);
      if (chosen !== undefined) return chosen;
    }
  }
  return undefined;
}

// "#name" imports of the package around a file.
exports.findImported = function findImported(specifier, from, conditions) {
  const around = exports.packageOf(path.join(from, 'x'));
  const target = around?.content.imports && match(around.content.imports, specifier, conditions);
  if (target === undefined) {
    const { codes } = require('internal/errors');
    throw new codes.ERR_PACKAGE_IMPORT_NOT_DEFINED(specifier, around?.directory);
  }
  return target.startsWith('./') ? path.resolve(around.directory, target) : target;
};
