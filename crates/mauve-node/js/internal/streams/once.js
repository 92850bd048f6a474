// Waiting for something to happen once.

// A place for at most one function, which is called when something happens next.
class NextTime {
  #waiting = null;

  // `event` of `emitter` is the something.
  constructor(emitter, event) {
    emitter?.on(event, () => this.happen());
  }

  call(fn) {
    this.#waiting = fn;
  }

  forget() {
    this.#waiting = null;
  }

  // Says whether somebody was waiting.
  happen(...args) {
    const fn = this.#waiting;
    this.#waiting = null;
    fn?.(...args);
    return fn !== null;
  }
}

// fn the first time, nothing afterwards.
function once(fn) {
  let rest = fn;
  return (...args) => {
    const first = rest;
    rest = null;
    first?.(...args);
  };
}

module.exports = { NextTime, once };
