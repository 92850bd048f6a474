// The built-in modules, for both module loaders.
module.exports = {
  publicIds: new Set(),
  requireBuiltin: undefined,

  // The id of a built-in module that scripts may require, or undefined.
  builtinId(specifier) {
    const hasScheme = specifier.startsWith('node:');
    const id = hasScheme ? specifier.slice(5) : specifier;
    return this.publicIds.has(id) && (hasScheme || !ONLY_WITH_SCHEME.has(id)) ? id : undefined;
  },

  // The built-in modules by the names that require() takes.
  names() { return Array.from(this.publicIds, (id) => (ONLY_WITH_SCHEME.has(id) ? `node:${id}` : id)); },

  // Throws for one of Node's undocumented modules, and for a built-in module that does not exist.
  checkSupported(specifier) {
    const hasScheme = specifier.startsWith('node:');
    const id = hasScheme ? specifier.slice(5) : specifier;
    const isOut = /^_(http|stream|tls)_/.test(id);
    if (!isOut && !hasScheme) return;
    const { codes } = require('internal/errors');
    throw isOut ? new codes.ERR_MAUVE_NOT_IMPLEMENTED(`the module '${id}'`) :
      new codes.ERR_UNKNOWN_BUILTIN_MODULE(specifier);
  },
};

const ONLY_WITH_SCHEME = new Set(['sea', 'sqlite', 'test', 'test/reporters']);
