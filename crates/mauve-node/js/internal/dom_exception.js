// DOMException: an error with a standard name and its legacy code.
const { setStackHeader } = require('internal/errors');
const EXCEPTIONS = binding('util').table('domExceptions');
const codeOfName = new Map(EXCEPTIONS.map(([, name], index) => [name, index + 1]));
const states = new WeakMap();

function stateOf(exception) {
  const state = states.get(exception);
  if (state === undefined) throw new (require('internal/errors').codes.ERR_INVALID_THIS)('DOMException');
  return state;
}

function DOMException(message = '', options = 'Error') {
  if (new.target === undefined) throw new TypeError("Class constructor DOMException cannot be invoked without 'new'");
  const exception = Reflect.construct(Error, [], new.target);
  let name = options;
  if (options && typeof options === 'object') {
    name = options.name === undefined ? 'Error' : options.name;
    if ('cause' in options) {
      Object.defineProperty(exception, 'cause', { value: options.cause, configurable: true, writable: true, enumerable: false });
    }
  }
  const state = { message: `${message}`, name: `${name}` };
  states.set(exception, state);
  setStackHeader(exception, state.message === '' ? state.name : `${state.name}: ${state.message}`);
  return exception;
}

DOMException.prototype = Object.create(Error.prototype, {
  constructor: { value: DOMException, writable: true, configurable: true },
  [Symbol.toStringTag]: { value: 'DOMException', configurable: true },
  name: { get() { return stateOf(this).name; }, enumerable: true, configurable: true },
  message: { get() { return stateOf(this).message; }, enumerable: true, configurable: true },
  code: { get() { return codeOfName.get(stateOf(this).name) ?? 0; }, enumerable: true, configurable: true },
});
Object.defineProperty(DOMException, 'prototype', { writable: false });
for (const [index, [constant]] of EXCEPTIONS.entries()) {
  const value = index + 1;
  Object.defineProperty(DOMException, constant, { value, enumerable: true });
  Object.defineProperty(DOMException.prototype, constant, { value, enumerable: true });
}

module.exports = { DOMException };
