// The module 'readline/promises'.
const { abortError, onAbort, throwIfAborted } = require('internal/abort');
const { validateAbortSignal } = require('internal/validators');
const { Interface: Base, useAfterClose } = require('internal/readline/interface');
const callbacks = require('internal/readline/callbacks');

class Interface extends Base {
  question(query, options = {}) {
    return new Promise((resolve, reject) => {
      if (this.closed) throw useAfterClose();
      const { signal } = options;
      if (signal) validateAbortSignal(signal, 'options.signal');
      throwIfAborted(signal);
      const release = onAbort(signal, () => {
        this._cancelQuestion();
        reject(abortError(signal));
      });
      this._setQuestion(query, (line) => {
        release();
        resolve(line);
      });
    });
  }
}

// Batches cursor movements and writes them on commit().
class Readline {
  #stream;
  #autoCommit;
  #pending = [];

  constructor(stream, options) {
    this.#stream = stream;
    this.#autoCommit = options?.autoCommit === true;
  }

  #add(step) {
    if (this.#autoCommit) process.nextTick(step, this.#stream);
    else this.#pending.push(step);
    return this;
  }

  cursorTo(x, y) { return this.#add((stream) => callbacks.cursorTo(stream, x, y)); }
  moveCursor(dx, dy) { return this.#add((stream) => callbacks.moveCursor(stream, dx, dy)); }
  clearLine(direction) { return this.#add((stream) => callbacks.clearLine(stream, direction)); }
  clearScreenDown() { return this.#add((stream) => callbacks.clearScreenDown(stream)); }

  commit() {
    const text = [];
    for (const step of this.#pending.splice(0)) step({ write: (part) => text.push(part) });
    return new Promise((resolve) => this.#stream.write(text.join(''), resolve));
  }

  rollback() {
    this.#pending = [];
    return this;
  }
}

function createInterface(input, output, completer, terminal) { return new Interface(input, output, completer, terminal); }

module.exports = { Interface, Readline, createInterface };
