// The module 'readline'.
const { abortError, onAbort } = require('internal/abort');
const { Interface: Base } = require('internal/readline/interface');
const { clearLine, clearScreenDown, cursorTo, moveCursor } = require('internal/readline/callbacks');
const { emitKeypressEvents } = require('internal/readline/emit_keypress_events');

// A function, because Node allows to call it without `new`.
function Interface(input, output, completer, terminal) {
  if (!(this instanceof Interface)) return new Interface(input, output, completer, terminal);
  return Reflect.construct(Base, [input, output, completer, terminal], new.target ?? Interface);
}
Object.setPrototypeOf(Interface.prototype, Base.prototype);
Object.setPrototypeOf(Interface, Base);

Object.defineProperty(Base.prototype.question, Symbol.for('nodejs.util.promisify.custom'), {
  value: function question(query, options) {
    const signal = options?.signal;
    if (signal?.aborted) return Promise.reject(abortError(signal));
    return new Promise((resolve, reject) => {
      const release = onAbort(signal, () => reject(abortError(signal)));
      this.question(query, options, (line) => {
        release();
        resolve(line);
      });
    });
  },
});

function createInterface(input, output, completer, terminal) { return new Interface(input, output, completer, terminal); }

module.exports = { Interface, clearLine, clearScreenDown, createInterface, cursorTo, emitKeypressEvents, moveCursor };
require('internal/util/getters').defineGetters(module.exports, { promises: () => require('readline/promises') });
