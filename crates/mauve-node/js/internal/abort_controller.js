// AbortController and AbortSignal.

const { Event, EventTarget, defineEventHandler, kTrusted } = require('internal/event_target');
const { codes } = require('internal/errors');
const { validateArray, validateObject, validateUint32 } = require('internal/validators');

const customInspectSymbol = Symbol.for('nodejs.util.inspect.custom');

const kConstruct = Symbol('construct');
const kAbort = Symbol('abort');
const kAborted = Symbol('aborted');
const kReason = Symbol('reason');
const kAddSource = Symbol('addSource');

function abortReason() {
  const { DOMException } = require('internal/dom_exception');
  return new DOMException('This operation was aborted', 'AbortError');
}

function inspectAs(self, name, values, depth, options, inspect) {
  if (depth < 0) return self;
  const shown = { ...options, depth: options.depth == null ? null : options.depth - 1 };
  return `${name} ${inspect(values, shown)}`;
}

class AbortSignal extends EventTarget {
  // Not private, because a proxy of a signal has them, too.
  [kAborted] = false;
  [kReason] = undefined;
  // Signals of AbortSignal.any() that abort with this one.
  #dependentSignals = new Set();

  constructor(key = undefined) {
    if (key !== kConstruct) throw new codes.ERR_ILLEGAL_CONSTRUCTOR();
    super();
  }

  static #check(signal) {
    if (signal === null || typeof signal !== 'object' || !(kAborted in signal)) {
      throw new codes.ERR_INVALID_THIS('AbortSignal');
    }
  }

  get aborted() {
    AbortSignal.#check(this);
    return this[kAborted];
  }

  get reason() {
    AbortSignal.#check(this);
    return this[kReason];
  }

  throwIfAborted() {
    AbortSignal.#check(this);
    if (this[kAborted]) throw this[kReason];
  }

  [customInspectSymbol](depth, options, inspect) {
    return inspectAs(this, 'AbortSignal', { aborted: this.aborted }, depth, options, inspect);
  }

  [kAbort](reason) {
    if (this[kAborted]) return;
    this[kAborted] = true;
    this[kReason] = reason;
    this.dispatchEvent(new Event('abort', { [kTrusted]: true }));
    for (const dependent of this.#dependentSignals) dependent[kAbort](reason);
  }

  [kAddSource](source) {
    for (const signal of source.#sourceSignals ?? [source]) {
      (this.#sourceSignals ??= new Set()).add(signal);
      signal.#dependentSignals.add(this);
    }
  }

  #sourceSignals;

  static abort(reason = abortReason()) {
    const signal = new AbortSignal(kConstruct);
    signal[kAborted] = true;
    signal[kReason] = reason;
    return signal;
  }

  static timeout(delay) {
    validateUint32(delay, 'delay', false);
    const signal = new AbortSignal(kConstruct);
    const timer = setTimeout(() => {
      const { DOMException } = require('internal/dom_exception');
      signal[kAbort](new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
    }, delay);
    // The timer does not keep the process running.
    timer.unref?.();
    return signal;
  }

  static any(signals) {
    if (signals === null || typeof signals !== 'object') validateObject(signals, 'signals');
    validateArray(signals, 'signals');
    const list = [...signals];
    list.forEach((signal, i) => {
      if (!(signal instanceof AbortSignal)) {
        throw new codes.ERR_INVALID_ARG_TYPE(`signals[${i}]`, 'AbortSignal', signal);
      }
    });
    const result = new AbortSignal(kConstruct);
    const aborted = list.find((signal) => signal.aborted);
    if (aborted !== undefined) {
      result[kAborted] = true;
      result[kReason] = aborted.reason;
      return result;
    }
    for (const signal of list) result[kAddSource](signal);
    return result;
  }
}
for (const key of ['aborted', 'reason', 'throwIfAborted']) {
  Object.defineProperty(AbortSignal.prototype, key, { enumerable: true });
}
Object.defineProperty(AbortSignal.prototype, Symbol.toStringTag, { value: 'AbortSignal', configurable: true });
defineEventHandler(AbortSignal.prototype, 'abort');

class AbortController {
  #signal;

  get signal() {
    return (this.#signal ??= new AbortSignal(kConstruct));
  }

  abort(reason = abortReason()) {
    this.signal[kAbort](reason);
  }

  [customInspectSymbol](depth, options, inspect) {
    return inspectAs(this, 'AbortController', { signal: this.signal }, depth, options, inspect);
  }
}
for (const key of ['signal', 'abort']) Object.defineProperty(AbortController.prototype, key, { enumerable: true });
Object.defineProperty(AbortController.prototype, Symbol.toStringTag, { value: 'AbortController', configurable: true });

module.exports = { AbortController, AbortSignal };
