// AbortController and AbortSignal.
const { Event, EventTarget, defineEventHandler, kTrusted } = require('internal/event_target');
const { codes, webidlError } = require('internal/errors');
const { validateUint32 } = require('internal/validators');
const { customInspectSymbol, defineWebClass, inspectAs } = require('internal/util/web_class');
const kConstruct = Symbol('construct');
const kAbort = Symbol('abort');
const kAborted = Symbol('aborted');
const kReason = Symbol('reason');
const kAddSource = Symbol('addSource');

function abortReason() {
  const { DOMException } = require('internal/dom_exception');
  return new DOMException('This operation was aborted', 'AbortError');
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
    if (signal === null || typeof signal !== 'object' || !(kAborted in signal)) throw new codes.ERR_INVALID_THIS('AbortSignal');
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

  [customInspectSymbol](...args) { return inspectAs(this, 'AbortSignal', { aborted: this.aborted }, ...args); }

  [kAbort](reason) {
    if (this[kAborted]) return;
    // All signals are aborted before the first event.
    const signals = [this, ...this.#dependentSignals].filter((signal) => !signal[kAborted]);
    for (const signal of signals) Object.assign(signal, { [kAborted]: true, [kReason]: reason });
    for (const signal of signals) signal.dispatchEvent(new Event('abort', { [kTrusted]: true }));
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
    if (typeof signals !== 'object' || typeof signals?.[Symbol.iterator] !== 'function') {
      throw webidlError('signals cannot be converted to sequence.');
    }
    const list = [...signals];
    list.forEach((signal, i) => { if (!(signal instanceof AbortSignal)) throw webidlError(`signals[${i}] is not of type AbortSignal.`); });
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
defineWebClass(AbortSignal, ['aborted', 'reason', 'throwIfAborted']);
defineEventHandler(AbortSignal.prototype, 'abort');

class AbortController {
  #signal;

  get signal() { return (this.#signal ??= new AbortSignal(kConstruct)); }
  abort(reason = abortReason()) { this.signal[kAbort](reason); }
  [customInspectSymbol](...args) { return inspectAs(this, 'AbortController', { signal: this.signal }, ...args); }
}
defineWebClass(AbortController, ['signal', 'abort']);

module.exports = { AbortController, AbortSignal };
