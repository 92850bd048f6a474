// Callbacks that run at most once.
// Holds at most one callback, which runs the next time that fire() is called.
class PendingCallback {
  #callback = null;

  // With an emitter, each `event` fires it.
  constructor(emitter, event) { emitter?.on(event, () => this.fire()); }
  set(fn) { this.#callback = fn; }
  clear() { this.#callback = null; }

  // Returns whether there was a callback.
  fire(...args) {
    const fn = this.#callback;
    this.#callback = null;
    fn?.(...args);
    return fn !== null;
  }
}

// Wraps a function so that only the first call has an effect.
function once(fn) {
  let rest = fn;
  return (...args) => {
    const first = rest;
    rest = null;
    first?.(...args);
  };
}

module.exports = { PendingCallback, once };
