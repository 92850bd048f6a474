// Switches of modules that observe others. They are undefined until a script loads the module, so that
// nothing costs more before that: `tracker` of async_hooks (internal/async_context), and `publish` of
// diagnostics_channel.

module.exports = { tracker: undefined, publish: undefined };
