// The built-in modules, for both module loaders.

module.exports = {
  publicIds: new Set(),
  requireBuiltin: undefined,

  // The id of a built-in module that scripts may require, or undefined.
  builtinId(specifier) {
    const id = specifier.startsWith('node:') ? specifier.slice(5) : specifier;
    return this.publicIds.has(id) ? id : undefined;
  },

  // Throws for a built-in module that mauve leaves out, and for one that does not exist.
  checkSupported(specifier) {
    const hasScheme = specifier.startsWith('node:');
    const id = hasScheme ? specifier.slice(5) : specifier;
    const isOut = UNSUPPORTED.has(id) || /^_(http|stream|tls)_/.test(id) || (hasScheme && ONLY_WITH_SCHEME.has(id));
    if (!isOut && !hasScheme) return;
    const { codes } = require('internal/errors');
    throw isOut ? new codes.ERR_NOT_SUPPORTED(`the module '${id}'`) : new codes.ERR_UNKNOWN_BUILTIN_MODULE(specifier);
  },
};

const UNSUPPORTED = new Set(['cluster', 'crypto', 'domain', 'http2', 'https', 'inspector', 'inspector/promises',
  'repl', 'stream/web', 'tls', 'trace_events', 'v8', 'vm', 'wasi', 'worker_threads', 'zlib']);
const ONLY_WITH_SCHEME = new Set(['sea', 'sqlite', 'test', 'test/reporters']);
