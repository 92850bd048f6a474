// The switch of the asynchronous context. `tracker` is undefined until a script uses async_hooks
// (internal/async_context), so that timers and ticks cost nothing more before that.

module.exports = { tracker: undefined };
