// The functions of rewritten `for await` loops (src/host/for_await.rs).

const then = Promise.prototype.then;

// Functions that open a loop without calling the method Symbol.asyncIterator, by this method. They return an
// iterable iterator, which only the loop uses, or null.
const openers = new Map();

// Returns an iterable whose iterator close() can close.
function open(iterable) {
  if (iterable == null) return iterable;
  const method = iterable[Symbol.asyncIterator];
  const isAsync = method != null;
  const getIterator = isAsync ? method : iterable[Symbol.iterator];
  // The engine reports what is not iterable.
  if (typeof getIterator !== 'function') return iterable;
  const opened = openers.get(method)?.(iterable);
  if (opened) return opened;
  const iterator = Reflect.apply(getIterator, iterable, []);
  const next = iterator?.next;
  if (typeof next !== 'function') return { [Symbol.asyncIterator]: () => iterator };
  return isAsync ? new ForAwait(iterator, next) : new ForAwait(...fromSync(iterator, next));
}

// Adapts a synchronous iterator. Its values are awaited, and it can always be closed.
function fromSync(iterator, next) {
  const call = (method) => {
    try {
      const { value, done } = Reflect.apply(method, iterator, []);
      return then.call(Promise.resolve(value), (settled) => ({ value: settled, done }));
    } catch (err) {
      return Promise.reject(err);
    }
  };
  const close = () => (iterator.return == null ? Promise.resolve({ done: true }) : call(iterator.return));
  return [{ return: close }, () => call(next)];
}

class ForAwait {
  #iterator;
  #next;

  constructor(iterator, next) {
    this.#iterator = iterator;
    this.#next = next;
  }

  [Symbol.asyncIterator]() {
    return this;
  }

  next() {
    return Reflect.apply(this.#next, this.#iterator, []);
  }

  // The engine gets no method if the iterator has none.
  get return() {
    const iterator = this.#iterator;
    const method = iterator?.return;
    return method == null ? undefined : () => Reflect.apply(method, iterator, []);
  }

  static close(loop) {
    try {
      const method = loop.return;
      if (#iterator in loop) loop.#iterator = undefined;
      else loop.return = undefined;
      return method && { result: Reflect.apply(method, loop, []) };
    } catch {
      // The exception of the loop's body has precedence.
      return undefined;
    }
  }
}

module.exports = { open, openers, close: ForAwait.close };
