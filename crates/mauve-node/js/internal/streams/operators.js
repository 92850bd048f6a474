// Readable's relatives of the array methods: map, filter, take, toArray and so on.

const { AbortError, codes } = require('internal/errors');
const { validateAbortSignal, validateInteger, validateObject } = require('internal/validators');
const kinds = require('internal/streams/kinds');
const { abortErrorOf, addAbortSignal } = require('internal/streams/add_abort_signal');
const { NOTHING, OrderedMap, throwIfAborted } = require('internal/streams/ordered_map');

function checkOptions(options) {
  if (options == null) return;
  validateObject(options, 'options');
  if (options.signal != null) validateAbortSignal(options.signal, 'options.signal');
}

function checkFunction(fn, name = 'fn') {
  if (typeof fn !== 'function') throw new codes.ERR_INVALID_ARG_TYPE(name, ['Function', 'AsyncFunction'], fn);
}

// An option that is a whole number, or what stands for it.
function wholeOption(options, name, minimum, otherwise) {
  if (options?.[name] == null) return otherwise;
  const number = Math.floor(options[name]);
  validateInteger(number, `options.${name}`, minimum);
  return number;
}

function count(number) {
  const wanted = Number(number);
  if (wanted < 0) throw new codes.ERR_OUT_OF_RANGE('number', '>= 0', wanted);
  return wanted || 0;
}

function mapped(source, fn, options) {
  checkFunction(fn);
  checkOptions(options);
  const concurrency = wholeOption(options, 'concurrency', 1, 1);
  const ahead = wholeOption(options, 'highWaterMark', 0, concurrency - 1);
  const signal = AbortSignal.any(options?.signal ? [options.signal] : []);
  return new OrderedMap(source, fn, signal, concurrency, concurrency + ahead).run();
}

function filtered(source, fn, options) {
  checkFunction(fn);
  const keep = async (value, context) => ((await fn(value, context)) ? value : NOTHING);
  return mapped(source, keep, options);
}

// The values of a stream, one after another, as long as nobody aborts. `each` gives what is to be
// yielded for one of them; it may give NOTHING, and may call `stop` to have no further one asked for.
// Some look at the signal before they touch the stream.
async function* walked(source, options, each, looksFirst) {
  if (looksFirst) throwIfAborted(options?.signal);
  let stopped = false;
  const stop = () => {
    stopped = true;
  };
  for await (const value of source) {
    throwIfAborted(options?.signal);
    const result = each(value, stop);
    if (result !== NOTHING) yield result;
    if (stopped) return;
  }
}

// A program that delegates throw() to an iterator without that method gets different errors from
// different engines. Here the iterator throws what it was given.
function throwable(iterable) {
  const iterator = iterable[Symbol.iterator]();
  return {
    [Symbol.iterator]() {
      return this;
    },
    next: (value) => iterator.next(value),
    return: (value) => iterator.return?.(value) ?? { done: true, value },
    throw(err) {
      if (typeof iterator.throw === 'function') return iterator.throw(err);
      throw err;
    },
  };
}

// Those that give a stream: each returns what it is made from.
const toStream = {
  map(fn, options) {
    return mapped(this, fn, options);
  },

  filter(fn, options) {
    return filtered(this, fn, options);
  },

  async *flatMap(fn, options) {
    for await (const inner of mapped(this, fn, options)) yield* kinds.syncIterable(inner) ? throwable(inner) : inner;
  },

  drop(number, options) {
    checkOptions(options);
    let left = count(number);
    return walked(this, options, (value) => (left-- > 0 ? NOTHING : value), true);
  },

  take(number, options) {
    checkOptions(options);
    let left = count(number);
    const each = (value, stop) => {
      const wanted = left-- > 0;
      // A value that nobody will get is not asked for.
      if (left <= 0) stop();
      return wanted ? value : NOTHING;
    };
    return walked(this, options, each, true);
  },

  asIndexedPairs(options) {
    checkOptions(options);
    let index = 0;
    return walked(this, options, (value) => [index++, value], false);
  },

  compose(stream, options) {
    checkOptions(options);
    const { isWritable } = require('internal/streams/condition');
    if (kinds.stream(stream) && !isWritable(stream)) {
      throw new codes.ERR_INVALID_ARG_VALUE('stream', stream, 'must be writable');
    }
    const composed = require('internal/streams/compose').compose(this, stream);
    return options?.signal ? addAbortSignal(options.signal, composed) : composed;
  },
};

// Those that give a promise.
const toPromise = {
  async forEach(fn, options) {
    checkFunction(fn);
    const visit = async (value, context) => {
      await fn(value, context);
      return NOTHING;
    };
    for await (const _ of mapped(this, visit, options));
  },

  async some(fn, options) {
    for await (const _ of filtered(this, fn, options)) return true;
    return false;
  },

  async every(fn, options) {
    checkFunction(fn);
    const differs = async (...args) => !(await fn(...args));
    return !(await toPromise.some.call(this, differs, options));
  },

  async find(fn, options) {
    for await (const value of filtered(this, fn, options)) return value;
    return undefined;
  },

  async toArray(options) {
    checkOptions(options);
    const values = [];
    for await (const value of this) {
      throwIfAborted(options?.signal);
      values.push(value);
    }
    return values;
  },

  async reduce(reducer, ...rest) {
    const [initial, options] = rest;
    checkFunction(reducer, 'reducer');
    checkOptions(options);
    if (options?.signal?.aborted) {
      const err = abortErrorOf(options.signal);
      this.once('error', () => {});
      await require('internal/streams/finished').finishedPromise(this.destroy(err));
      throw err;
    }
    const inner = new AbortController();
    options?.signal?.addEventListener('abort', () => inner.abort(), { once: true });
    let hasResult = rest.length > 0;
    let result = initial;
    try {
      for await (const value of this) {
        if (options?.signal?.aborted) throw new AbortError();
        result = hasResult ? await reducer(result, value, { signal: inner.signal }) : value;
        hasResult = true;
      }
    } finally {
      inner.abort();
    }
    if (hasResult) return result;
    const message = 'Reduce of an empty stream requires an initial value';
    throw Object.assign(new TypeError(message), { code: 'ERR_MISSING_ARGS' });
  },
};

function defineOperators(Readable) {
  const define = (name, value) => {
    Object.defineProperty(value, 'name', { value: name });
    Object.defineProperty(Readable.prototype, name, { value, writable: true, configurable: true, enumerable: false });
  };
  for (const [name, operator] of Object.entries(toStream)) {
    define(name, function (...args) {
      return Readable.from(operator.apply(this, args));
    });
  }
  for (const [name, operator] of Object.entries(toPromise)) {
    define(name, function (...args) {
      return operator.apply(this, args);
    });
  }
}

module.exports = { defineOperators };
