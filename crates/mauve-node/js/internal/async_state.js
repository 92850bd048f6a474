// Switches of modules that observe others. They are undefined until a script loads the module, so that
// nothing costs more before that: `tracker` of async_hooks (internal/async_context), `publish` of
// diagnostics_channel, and `measure` of perf_hooks.

module.exports = { tracker: undefined, publish: undefined, measure: undefined };
