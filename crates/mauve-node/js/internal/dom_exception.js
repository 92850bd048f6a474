// DOMException: an error with a standard name and its legacy code.

const { setStackHeader } = require('internal/errors');

const CODES = {
  INDEX_SIZE_ERR: ['IndexSizeError', 1],
  DOMSTRING_SIZE_ERR: [null, 2],
  HIERARCHY_REQUEST_ERR: ['HierarchyRequestError', 3],
  WRONG_DOCUMENT_ERR: ['WrongDocumentError', 4],
  INVALID_CHARACTER_ERR: ['InvalidCharacterError', 5],
  NO_DATA_ALLOWED_ERR: [null, 6],
  NO_MODIFICATION_ALLOWED_ERR: ['NoModificationAllowedError', 7],
  NOT_FOUND_ERR: ['NotFoundError', 8],
  NOT_SUPPORTED_ERR: ['NotSupportedError', 9],
  INUSE_ATTRIBUTE_ERR: ['InUseAttributeError', 10],
  INVALID_STATE_ERR: ['InvalidStateError', 11],
  SYNTAX_ERR: ['SyntaxError', 12],
  INVALID_MODIFICATION_ERR: ['InvalidModificationError', 13],
  NAMESPACE_ERR: ['NamespaceError', 14],
  INVALID_ACCESS_ERR: ['InvalidAccessError', 15],
  VALIDATION_ERR: [null, 16],
  TYPE_MISMATCH_ERR: ['TypeMismatchError', 17],
  SECURITY_ERR: ['SecurityError', 18],
  NETWORK_ERR: ['NetworkError', 19],
  ABORT_ERR: ['AbortError', 20],
  URL_MISMATCH_ERR: ['URLMismatchError', 21],
  QUOTA_EXCEEDED_ERR: ['QuotaExceededError', 22],
  TIMEOUT_ERR: ['TimeoutError', 23],
  INVALID_NODE_TYPE_ERR: ['InvalidNodeTypeError', 24],
  DATA_CLONE_ERR: ['DataCloneError', 25],
};

const codeOfName = new Map(Object.values(CODES).filter(([name]) => name !== null));
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
      Object.defineProperty(exception, 'cause', {
        value: options.cause, configurable: true, writable: true, enumerable: false,
      });
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
for (const [constant, [, value]] of Object.entries(CODES)) {
  Object.defineProperty(DOMException, constant, { value, enumerable: true });
  Object.defineProperty(DOMException.prototype, constant, { value, enumerable: true });
}

module.exports = { DOMException };
