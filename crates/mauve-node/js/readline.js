// readline: lines of text from a stream.

const { AbortError } = require('internal/errors');
const { Interface: Base } = require('internal/readline/interface');
const { clearLine, clearScreenDown, cursorTo, moveCursor } = require('internal/readline/escapes');
const { emitKeypressEvents } = require('internal/readline/keys');

// Callable without new, as it always was.
function Interface(input, output, completer, terminal) {
  if (!(this instanceof Interface)) return new Interface(input, output, completer, terminal);
  return Reflect.construct(Base, [input, output, completer, terminal], new.target ?? Interface);
}
Object.setPrototypeOf(Interface.prototype, Base.prototype);
Object.setPrototypeOf(Interface, Base);

const ask = Base.prototype.question;
Object.defineProperty(ask, Symbol.for('nodejs.util.promisify.custom'), {
  value(query, options) {
    const signal = options?.signal;
    const aborted = () => new AbortError(undefined, { cause: signal.reason });
    if (signal?.aborted) return Promise.reject(aborted());
    return new Promise((resolve, reject) => {
      let answered = resolve;
      if (signal) {
        const onAbort = () => reject(aborted());
        signal.addEventListener('abort', onAbort, { once: true });
        answered = (answer) => {
          signal.removeEventListener('abort', onAbort);
          resolve(answer);
        };
      }
      this.question(query, options, answered);
    });
  },
});

function createInterface(input, output, completer, terminal) {
  return new Interface(input, output, completer, terminal);
}

module.exports = { Interface, clearLine, clearScreenDown, createInterface, cursorTo, emitKeypressEvents, moveCursor };
Object.defineProperty(module.exports, 'promises', {
  configurable: true,
  enumerable: true,
  get: () => require('readline/promises'),
});
