// The built-in modules, for both module loaders.

module.exports = {
  publicIds: new Set(),
  requireBuiltin: undefined,

  // The id of a built-in module that scripts may require, or undefined.
  builtinId(specifier) {
    const id = specifier.startsWith('node:') ? specifier.slice(5) : specifier;
    return this.publicIds.has(id) ? id : undefined;
  },

  // Whether this is a built-in module of Node that is not implemented. require() throws for it.
  isUnsupported(id) {
    return UNSUPPORTED.has(id);
  },
};

const UNSUPPORTED = new Set(['cluster', 'crypto', 'domain', 'http2',
  'https', 'inspector', 'repl', 'test', 'tls', 'trace_events', 'v8', 'vm', 'wasi',
  'worker_threads', 'zlib']);
