// Readable's iterator helpers: map, filter, take, toArray and their kind.

const { AbortError, codes } = require('internal/errors');
const { validateAbortSignal, validateInteger, validateObject } = require('internal/validators');

const { isIterable } = require('internal/streams/utils');

const EMPTY = Symbol('empty');
const END = Symbol('end');

function checkOptions(options) {
  if (options != null) validateObject(options, 'options');
  if (options?.signal != null) validateAbortSignal(options.signal, 'options.signal');
}

function checkFunction(fn) {
  if (typeof fn !== 'function') throw new codes.ERR_INVALID_ARG_TYPE('fn', ['Function', 'AsyncFunction'], fn);
}

function throwIfAborted(signal) {
  if (signal?.aborted) throw new AbortError(undefined, { cause: signal.reason });
}

function whole(value, name, minimum) {
  const number = Math.floor(value);
  validateInteger(number, name, minimum);
  return number;
}

// Runs fn on up to `concurrency` chunks at a time and yields the results in order.
function map(fn, options) {
  checkFunction(fn);
  checkOptions(options);
  const concurrency = options?.concurrency != null ? whole(options.concurrency, 'options.concurrency', 1) : 1;
  const ahead =
    options?.highWaterMark != null
      ? whole(options.highWaterMark, 'options.highWaterMark', 0)
      : concurrency - 1;
  return mapping.call(this, fn, options, concurrency, ahead + concurrency);
}

async function* mapping(fn, options, concurrency, limit) {
  const signal = AbortSignal.any([options?.signal].filter(Boolean));
  const queue = [];
  const stream = this;
  const fnOptions = { signal };
  let next;
  let resume;
  let done = false;
  let running = 0;

  function onFailed() {
    done = true;
    afterOne();
  }
  function afterOne() {
    running--;
    wakeSource();
  }
  function wakeSource() {
    if (resume && !done && running < concurrency && queue.length < limit) {
      resume();
      resume = null;
    }
  }

  async function pump() {
    try {
      for await (let value of stream) {
        if (done) return;
        throwIfAborted(signal);
        try {
          value = fn(value, fnOptions);
          if (value === EMPTY) continue;
          value = Promise.resolve(value);
        } catch (err) {
          value = Promise.reject(err);
        }
        running++;
        value.then(afterOne, onFailed);
        queue.push(value);
        if (next) {
          next();
          next = null;
        }
        if (!done && (queue.length >= limit || running >= concurrency)) {
          await new Promise((resolve) => (resume = resolve));
        }
      }
      queue.push(END);
    } catch (err) {
      const failed = Promise.reject(err);
      failed.then(afterOne, onFailed);
      queue.push(failed);
    } finally {
      done = true;
      if (next) {
        next();
        next = null;
      }
    }
  }
  pump();

  try {
    while (true) {
      while (queue.length > 0) {
        const value = await queue[0];
        if (value === END) return;
        throwIfAborted(signal);
        if (value !== EMPTY) yield value;
        queue.shift();
        wakeSource();
      }
      await new Promise((resolve) => (next = resolve));
    }
  } finally {
    done = true;
    if (resume) {
      resume();
      resume = null;
    }
  }
}

function filter(fn, options) {
  checkFunction(fn);
  return map.call(
    this,
    async (value, fnOptions) => ((await fn(value, fnOptions)) ? value : EMPTY),
    options,
  );
}

async function forEach(fn, options) {
  checkFunction(fn);
  const each = async (value, fnOptions) => {
    await fn(value, fnOptions);
    return EMPTY;
  };
  for await (const _ of map.call(this, each, options));
}

async function some(fn, options) {
  for await (const _ of filter.call(this, fn, options)) return true;
  return false;
}

async function every(fn, options) {
  checkFunction(fn);
  return !(await some.call(this, async (...args) => !(await fn(...args)), options));
}

async function find(fn, options) {
  for await (const value of filter.call(this, fn, options)) return value;
  return undefined;
}

async function reduce(reducer, initialValue, options) {
  if (typeof reducer !== 'function') {
    throw new codes.ERR_INVALID_ARG_TYPE('reducer', ['Function', 'AsyncFunction'], reducer);
  }
  checkOptions(options);
  let hasValue = arguments.length > 1;
  if (options?.signal?.aborted) {
    const err = new AbortError(undefined, { cause: options.signal.reason });
    this.once('error', () => {});
    const { finishedPromise } = require('internal/streams/finished');
    await finishedPromise(this.destroy(err));
    throw err;
  }
  const controller = new AbortController();
  const { signal } = controller;
  if (options?.signal) options.signal.addEventListener('abort', () => controller.abort(), { once: true });
  let gotAny = false;
  try {
    for await (const value of this) {
      gotAny = true;
      if (options?.signal?.aborted) throw new AbortError();
      if (!hasValue) {
        initialValue = value;
        hasValue = true;
      } else {
        initialValue = await reducer(initialValue, value, { signal });
      }
    }
    if (!gotAny && !hasValue) throw emptyReduce();
  } finally {
    controller.abort();
  }
  return initialValue;
}

function emptyReduce() {
  const err = new TypeError('Reduce of an empty stream requires an initial value');
  err.code = 'ERR_MISSING_ARGS';
  return err;
}

async function toArray(options) {
  checkOptions(options);
  const result = [];
  for await (const value of this) {
    throwIfAborted(options?.signal);
    result.push(value);
  }
  return result;
}

async function* flatMap(fn, options) {
  for await (const inner of map.call(this, fn, options)) yield* isIterable(inner, false) ? throwable(inner) : inner;
}

// Engines do not agree about what a delegated throw() does to an iterator without that method. Here it
// throws what it was given.
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

function toCount(number) {
  const count = Number(number);
  if (Number.isNaN(count)) return 0;
  if (count < 0) throw new codes.ERR_OUT_OF_RANGE('number', '>= 0', count);
  return count;
}

function drop(number, options) {
  checkOptions(options);
  let left = toCount(number);
  return async function* drop() {
    throwIfAborted(options?.signal);
    for await (const value of this) {
      throwIfAborted(options?.signal);
      if (left-- <= 0) yield value;
    }
  }.call(this);
}

function take(number, options) {
  checkOptions(options);
  let left = toCount(number);
  return async function* take() {
    throwIfAborted(options?.signal);
    for await (const value of this) {
      throwIfAborted(options?.signal);
      if (left-- > 0) yield value;
      // Do not ask for a value that nobody will get.
      if (left <= 0) return;
    }
  }.call(this);
}

function asIndexedPairs(options) {
  checkOptions(options);
  return async function* asIndexedPairs() {
    let index = 0;
    for await (const value of this) {
      throwIfAborted(options?.signal);
      yield [index++, value];
    }
  }.call(this);
}

function composeWith(stream, options) {
  checkOptions(options);
  const { isNodeStream, isWritable } = require('internal/streams/utils');
  if (isNodeStream(stream) && !isWritable(stream)) {
    throw new codes.ERR_INVALID_ARG_VALUE('stream', stream, 'must be writable');
  }
  const { compose } = require('internal/streams/compose');
  const composed = compose(this, stream);
  if (options?.signal) {
    require('internal/streams/add_abort_signal').addAbortSignal(options.signal, composed);
  }
  return composed;
}

const toStream = { asIndexedPairs, drop, filter, flatMap, map, take, compose: composeWith };
const toPromise = { every, forEach, reduce, toArray, some, find };

function defineOperators(Readable) {
  const define = (name, value) => {
    Object.defineProperty(value, 'name', { value: name });
    Object.defineProperty(Readable.prototype, name, { value, writable: true, configurable: true, enumerable: false });
  };
  for (const [name, operator] of Object.entries(toStream)) {
    define(name, function (...args) {
      return Readable.from(Reflect.apply(operator, this, args));
    });
  }
  for (const [name, operator] of Object.entries(toPromise)) {
    define(name, function (...args) {
      return Reflect.apply(operator, this, args);
    });
  }
}

module.exports = { defineOperators };
