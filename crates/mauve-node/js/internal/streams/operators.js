// The methods of Readable that resemble those of arrays: map, filter, take, toArray and so on.
const { abortError, onAbort, throwIfAborted } = require('internal/abort');
const { AbortError, codes } = require('internal/errors');
const { validateAbortSignal, validateInteger, validateObject } = require('internal/validators');
const types = require('internal/streams/types');
const { addAbortSignal } = require('internal/streams/add_abort_signal');
const { NOTHING, OrderedMap } = require('internal/streams/ordered_map');

function checkOptions(options) {
  if (options == null) return;
  validateObject(options, 'options');
  if (options.signal != null) validateAbortSignal(options.signal, 'options.signal');
}

function checkFunction(fn, name = 'fn') { if (typeof fn !== 'function') throw new codes.ERR_INVALID_ARG_TYPE(name, 'Function', fn); }

// An integer option, or its default.
function integerOption(options, name, minimum, fallback) {
  if (options?.[name] == null) return fallback;
  const number = Math.floor(options[name]);
  validateInteger(number, `options.${name}`, minimum);
  return number;
}

function checkedCount(number) {
  const count = Number(number);
  if (count < 0) throw new codes.ERR_OUT_OF_RANGE('number', '>= 0', count);
  return count || 0;
}

function mapAsync(source, fn, options) {
  checkFunction(fn);
  checkOptions(options);
  const concurrency = integerOption(options, 'concurrency', 1, 1);
  const ahead = integerOption(options, 'highWaterMark', 0, concurrency - 1);
  const signal = AbortSignal.any(options?.signal ? [options.signal] : []);
  return new OrderedMap(source, fn, signal, concurrency, concurrency + ahead).run();
}

function filterAsync(source, fn, options) {
  checkFunction(fn);
  const valueOrNothing = async (value, context) => ((await fn(value, context)) ? value : NOTHING);
  return mapAsync(source, valueOrNothing, options);
}

// Yields `each(value, stop)` for the values of a stream until the signal aborts. NOTHING skips a value, and
// `stop` ends the iteration. With `checkFirst` the signal is checked before the stream is read.
async function* mapSync(source, options, each, checkFirst) {
  if (checkFirst) throwIfAborted(options?.signal);
  let stopped = false;
  const stop = () => { stopped = true; };
  for await (const value of source) {
    throwIfAborted(options?.signal);
    const result = each(value, stop);
    if (result !== NOTHING) yield result;
    if (stopped) return;
  }
}

// Engines differ in the error of `yield*` if an iterator has no throw() method. This adds one that fails with
// V8's message.
function throwable(iterable) {
  const iterator = iterable[Symbol.iterator]();
  return {
    [Symbol.iterator]() { return this; },
    next: (value) => iterator.next(value),
    return: (value) => iterator.return?.(value) ?? { done: true, value },
    throw(err) {
      if (typeof iterator.throw === 'function') return iterator.throw(err);
      iterator.return?.();
      throw new TypeError("The iterator does not provide a 'throw' method.");
    },
  };
}

async function* flatten(source) {
  for await (const inner of source) { yield* types.isSyncIterable(inner) ? throwable(inner) : inner; }
}

// Operators that return a stream. Each returns an iterable, and Readable.from wraps it.
const toStream = {
  map(fn, options) { return mapAsync(this, fn, options); },
  filter(fn, options) { return filterAsync(this, fn, options); },
  flatMap(fn, options) { return flatten(mapAsync(this, fn, options)); },

  drop(number, options = undefined) {
    checkOptions(options);
    let left = checkedCount(number);
    return mapSync(this, options, (value) => (left-- > 0 ? NOTHING : value), true);
  },

  take(number, options = undefined) {
    checkOptions(options);
    let left = checkedCount(number);
    const each = (value, stop) => {
      const isIncluded = left-- > 0;
      // Does not read a value that would be dropped.
      if (left <= 0) stop();
      return isIncluded ? value : NOTHING;
    };
    return mapSync(this, options, each, true);
  },
};

function composeWith(stream, options) {
  checkOptions(options);
  const { isWritable } = require('internal/streams/utils');
  if (types.isNodeStream(stream) && !isWritable(stream)) throw new codes.ERR_INVALID_ARG_VALUE('stream', stream, 'must be writable');
  const composed = require('internal/streams/compose').compose(this, stream);
  return options?.signal ? addAbortSignal(options.signal, composed) : composed;
}

// Operators that return a promise.
const toPromise = {
  async forEach(fn, options) {
    checkFunction(fn);
    const visit = async (value, context) => {
      await fn(value, context);
      return NOTHING;
    };
    for await (const _ of mapAsync(this, visit, options));
  },

  async some(fn, options = undefined) {
    for await (const _ of filterAsync(this, fn, options)) return true;
    return false;
  },

  async every(fn, options = undefined) {
    checkFunction(fn);
    const differs = async (...args) => !(await fn(...args));
    return !(await toPromise.some.call(this, differs, options));
  },

  async find(fn, options) {
    for await (const value of filterAsync(this, fn, options)) return value;
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

  async reduce(reducer, initial, options) {
    checkFunction(reducer, 'reducer');
    checkOptions(options);
    if (options?.signal?.aborted) {
      const err = abortError(options.signal);
      this.once('error', () => {});
      await require('internal/streams/finished').finishedPromise(this.destroy(err));
      throw err;
    }
    const inner = new AbortController();
    onAbort(options?.signal, () => inner.abort());
    let hasResult = arguments.length > 1;
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
    Object.defineProperty(Readable.prototype, name, { value, writable: true, configurable: true, enumerable: false });
  };
  for (const [name, operator] of Object.entries(toStream)) {
    // A method cannot be called with `new`.
    const { [name]: method } = { [name](...args) { return Readable.from(operator.apply(this, args)); } };
    define(name, Object.defineProperty(method, 'length', { value: operator.length }));
  }
  for (const [name, operator] of Object.entries(toPromise)) define(name, operator);
  const { compose } = { compose(stream, options) { return Reflect.apply(composeWith, this, [stream, options]); } };
  define('compose', compose);
}

module.exports = { defineOperators };
