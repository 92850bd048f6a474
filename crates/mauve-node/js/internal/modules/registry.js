// What both kinds of module loader know of the built-in modules.

module.exports = {
  publicIds: new Set(),
  requireBuiltin: undefined,

  // The id of a built-in module that scripts may require, or undefined.
  builtinId(specifier) {
    const id = specifier.startsWith('node:') ? specifier.slice(5) : specifier;
    return this.publicIds.has(id) ? id : undefined;
  },

  // Modules of Node that are not here. Asking for them says so by name.
  isMissing(id) {
    return MISSING.has(id);
  },
};

const MISSING = new Set(['async_hooks', 'cluster', 'crypto', 'dns/promises', 'domain', 'http2',
  'https', 'inspector', 'repl', 'test', 'tls', 'trace_events', 'v8', 'vm', 'wasi',
  'worker_threads', 'zlib']);
