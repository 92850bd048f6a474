// readline/promises: questions as promises.

const { AbortError } = require('internal/errors');
const { validateAbortSignal } = require('internal/validators');
const { Interface: Base, useAfterClose } = require('internal/readline/interface');
const escapes = require('internal/readline/escapes');

class Interface extends Base {
  question(query, options = {}) {
    return new Promise((resolve, reject) => {
      if (this.closed) throw useAfterClose();
      const { signal } = options;
      let answered = resolve;
      if (signal) {
        validateAbortSignal(signal, 'options.signal');
        const aborted = () => new AbortError(undefined, { cause: signal.reason });
        if (signal.aborted) {
          reject(aborted());
          return;
        }
        const onAbort = () => {
          this._giveUp();
          reject(aborted());
        };
        signal.addEventListener('abort', onAbort, { once: true });
        answered = (answer) => {
          signal.removeEventListener('abort', onAbort);
          resolve(answer);
        };
      }
      this._ask(query, answered);
    });
  }
}

// Collects what is to be done with a terminal, and does it at once.
class Readline {
  #stream;
  #autoCommit;
  #todo = [];

  constructor(stream, options) {
    this.#stream = stream;
    this.#autoCommit = options?.autoCommit === true;
  }

  #add(step) {
    if (this.#autoCommit) process.nextTick(step, this.#stream);
    else this.#todo.push(step);
    return this;
  }

  cursorTo(x, y) {
    return this.#add((stream) => escapes.cursorTo(stream, x, y));
  }

  moveCursor(dx, dy) {
    return this.#add((stream) => escapes.moveCursor(stream, dx, dy));
  }

  clearLine(direction) {
    return this.#add((stream) => escapes.clearLine(stream, direction));
  }

  clearScreenDown() {
    return this.#add((stream) => escapes.clearScreenDown(stream));
  }

  commit() {
    const text = [];
    for (const step of this.#todo.splice(0)) step({ write: (part) => text.push(part) });
    return new Promise((resolve) => this.#stream.write(text.join(''), resolve));
  }

  rollback() {
    this.#todo = [];
    return this;
  }
}

function createInterface(input, output, completer, terminal) {
  return new Interface(input, output, completer, terminal);
}

module.exports = { Interface, Readline, createInterface };
