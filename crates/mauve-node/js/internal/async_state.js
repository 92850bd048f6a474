// Switches of modules that observe others. They are undefined until a script loads the module, so that
// nothing costs more before that: `tracker` of async_hooks (internal/async_context), `publish` of
// diagnostics_channel, and `measure` of perf_hooks. `isMainRunning` is false after the main script has run.
const state = {
  tracker: undefined,
  publish: undefined,
  measure: undefined,
  isMainRunning: true,
  // What follows the main script is outside of all callbacks, until a callback is called.
  endMain() {
    if (!state.isMainRunning) return;
    state.isMainRunning = false;
    state.tracker?.endMain();
  },
};
module.exports = state;
