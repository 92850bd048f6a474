// What the streams of the web share: their hidden states, queues with sizes, and calls of the functions of a source or sink.
const { codes } = require('internal/errors');
const { customInspectSymbol, defineWebClass, inspectAs } = require('internal/util/web_class');
const states = new WeakMap();
const kMake = Symbol('make');

function stateOf(object, name) {
  const state = states.get(object);
  if (state === undefined || state.name !== name) throw new codes.ERR_INVALID_THIS(name);
  return state;
}

// The state of `this` of a method that returns a promise, which is rejected for other objects.
function rejectWrong(object, name, work) {
  try {
    return work(stateOf(object, name));
  } catch (error) {
    return Promise.reject(error);
  }
}

const invalidState = (text) => new codes.ERR_INVALID_STATE.TypeError(text);
const noop = () => {};

// A promise that is no unhandled rejection.
function quiet(promise) {
  promise.catch(noop);
  return promise;
}

function deferred() {
  const result = Promise.withResolvers();
  quiet(result.promise);
  return result;
}

// The functions of a source or sink, which return promises.
function algorithm(object, name, what) {
  const method = object?.[name];
  if (method === undefined || method === null) return async () => {};
  if (typeof method !== 'function') throw new codes.ERR_INVALID_ARG_TYPE(`${what}.${name}`, 'Function', method);
  return (...args) => {
    try {
      return Promise.resolve(Reflect.apply(method, object, args));
    } catch (error) {
      return Promise.reject(error);
    }
  };
}

function strategyOf(strategy, usual) {
  const { highWaterMark: mark = usual, size } = strategy ?? {};
  if (size !== undefined && typeof size !== 'function') throw new codes.ERR_INVALID_ARG_TYPE('strategy.size', 'Function', size);
  if (typeof mark !== 'number' || Number.isNaN(mark) || mark < 0) throw new codes.ERR_INVALID_ARG_VALUE.RangeError('strategy.highWaterMark', mark);
  return { mark, sizeOf: size === undefined ? () => 1 : (chunk) => size(chunk) };
}

// A queue of values with sizes.
class Queue {
  list = [];
  total = 0;

  push(value, size) {
    if (typeof size !== 'number' || !(size >= 0) || size === Infinity) throw new codes.ERR_INVALID_ARG_VALUE.RangeError('size', size);
    this.list.push({ value, size });
    this.total += size;
  }

  shift() {
    const { value, size } = this.list.shift();
    this.total = Math.max(0, this.total - size);
    return value;
  }

  clear() { Object.assign(this, { list: [], total: 0 }); }
}

function define(Class, members, shown = () => ({})) {
  const { name } = Class;
  Object.defineProperty(Class.prototype, customInspectSymbol, { enumerable: false, configurable: true, value(...args) {
    return inspectAs(this, name, shown(stateOf(this, name), this), ...args);
  } });
  defineWebClass(Class, members);
}

const illegal = (key) => { if (key !== kMake) throw new codes.ERR_ILLEGAL_CONSTRUCTOR(); };

module.exports = { Queue, algorithm, deferred, define, illegal, invalidState, kMake, noop, quiet, rejectWrong, stateOf, states, strategyOf };
