// The web classes Event, CustomEvent and EventTarget. There is no tree of nodes, so events do not
// propagate.
const { codes } = require('internal/errors');
const { validateObject } = require('internal/validators');
const { customInspectSymbol, defineWebClass, inspectAs } = require('internal/util/web_class');
const kState = Symbol('event state');
const kTrusted = Symbol('trusted');
const NONE = 0;
const AT_TARGET = 2;

function stateOf(event) {
  const state = event?.[kState];
  if (state === undefined) throw new codes.ERR_INVALID_THIS('Event');
  return state;
}

class Event {
  constructor(type, options = undefined) {
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('type');
    if (options !== undefined) validateObject(options, 'options', { allowArray: true, allowFunction: true, nullable: true });
    Object.defineProperty(this, kState, {
      value: {
        type: `${type}`,
        bubbles: Boolean(options?.bubbles),
        cancelable: Boolean(options?.cancelable),
        composed: Boolean(options?.composed),
        time: performance.now(),
        target: null,
        dispatching: false,
        prevented: false,
        stopped: false,
        stoppedImmediately: false,
        passive: false,
        trusted: options?.[kTrusted] === true,
      },
      enumerable: false,
    });
  }

  initEvent(type, bubbles = false, cancelable = false) {
    const state = stateOf(this);
    if (state.dispatching) return;
    Object.assign(state, { type: `${type}`, bubbles: Boolean(bubbles), cancelable: Boolean(cancelable) });
  }

  stopImmediatePropagation() {
    const state = stateOf(this);
    state.stopped = true;
    state.stoppedImmediately = true;
  }

  preventDefault() {
    const state = stateOf(this);
    if (state.cancelable && !state.passive) state.prevented = true;
  }

  get target() { return stateOf(this).target; }
  get currentTarget() { const state = stateOf(this); return state.dispatching ? state.target : null; }
  get srcElement() { return stateOf(this).target; }
  get type() { return stateOf(this).type; }
  get cancelable() { return stateOf(this).cancelable; }
  get defaultPrevented() { const state = stateOf(this); return state.cancelable && state.prevented; }
  get timeStamp() { return stateOf(this).time; }

  composedPath() {
    const state = stateOf(this);
    return state.dispatching ? [state.target] : [];
  }

  get returnValue() { return !this.defaultPrevented; }
  get bubbles() { return stateOf(this).bubbles; }
  get composed() { return stateOf(this).composed; }
  get eventPhase() { return stateOf(this).dispatching ? AT_TARGET : NONE; }
  get cancelBubble() { return stateOf(this).stopped; }
  set cancelBubble(value) { if (value) stateOf(this).stopped = true; }
  stopPropagation() { stateOf(this).stopped = true; }
  get isTrusted() { return stateOf(this).trusted; }

  [customInspectSymbol](depth, options, inspect) {
    const { constructor: { name }, type, defaultPrevented, cancelable, timeStamp } = this;
    if (depth < 0) return name;
    return inspectAs(this, name, { type, defaultPrevented, cancelable, timeStamp }, depth, options, inspect);
  }
}

['NONE', 'CAPTURING_PHASE', 'AT_TARGET', 'BUBBLING_PHASE'].forEach((name, value) => {
  Object.defineProperty(Event, name, { value, enumerable: true });
});

class CustomEvent extends Event {
  #detail;

  constructor(type, options) {
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('type');
    super(type, options);
    this.#detail = options?.detail ?? null;
  }

  get detail() { return this.#detail; }
}

defineWebClass(Event, [
  'type', 'target', 'currentTarget', 'cancelable', 'defaultPrevented', 'timeStamp', 'bubbles', 'stopPropagation',
  'preventDefault',
]);
defineWebClass(CustomEvent, ['detail']);

// Listeners by target and type, in order of registration.
const tables = new WeakMap();
const limits = new WeakMap();
const leakWarned = new WeakMap();

function tableOf(target) {
  const table = tables.get(target);
  if (table === undefined) throw new codes.ERR_INVALID_THIS('EventTarget');
  return table;
}

function parseOptions(options) {
  if (typeof options === 'boolean') return { capture: options };
  if (options === null || options === undefined) return {};
  validateObject(options, 'options', { allowArray: true, allowFunction: true, nullable: true });
  const flags = ['once', 'capture', 'passive'].map((name) => [name, Boolean(options[name])]);
  return { ...Object.fromEntries(flags), signal: options.signal };
}

function warnAboutLeak(target, type, count) {
  const limit = limits.get(target) ?? require('events').defaultMaxListeners;
  if (limit === 0 || count <= limit) return;
  const warnedTypes = leakWarned.get(target) ?? leakWarned.set(target, new Set()).get(target);
  if (warnedTypes.has(type)) return;
  warnedTypes.add(type);
  const { inspect } = require('internal/util/inspect');
  const message = `Possible EventTarget memory leak detected. ${count} ${type} listeners added to ` +
    `${inspect(target, { depth: -1 })}. MaxListeners is ${limit}. Use events.setMaxListeners() to increase limit`;
  process.emitWarning(Object.assign(new Error(message), { name: 'MaxListenersExceededWarning', target, type, count }));
}

class EventTarget {
  constructor() { tables.set(this, new Map()); }

  addEventListener(type, listener, options = {}) {
    const table = tableOf(this);
    if (arguments.length < 2) throw new codes.ERR_MISSING_ARGS('type', 'listener');
    const { once = false, capture = false, passive = false, signal } = parseOptions(options);
    if (signal !== undefined && !(signal && typeof signal === 'object' && 'aborted' in signal)) {
      throw new codes.ERR_INVALID_ARG_TYPE('options.signal', 'AbortSignal', signal);
    }
    if (listener === null || listener === undefined) {
      const warning = new Error(`addEventListener called with ${listener} which has no effect.`);
      process.emitWarning(Object.assign(warning, { name: 'AddEventListenerArgumentTypeWarning', target: this, type }));
      return;
    }
    if (typeof listener !== 'function' && typeof listener !== 'object') throw new codes.ERR_INVALID_ARG_TYPE('listener', 'EventListener', listener);
    if (signal?.aborted) return;
    type = `${type}`;
    const list = table.get(type) ?? [];
    if (list.some((other) => other.listener === listener && other.capture === capture)) return;
    const entry = { listener, once, capture, passive, removed: false };
    // Replaces the list, because a dispatch may be iterating over the old one.
    table.set(type, [...list, entry]);
    const remove = () => this.removeEventListener(type, listener, { capture });
    if (signal) signal.addEventListener('abort', remove, { once: true });
    warnAboutLeak(this, type, list.length + 1);
  }

  removeEventListener(type, listener, options = {}) {
    const table = tableOf(this);
    if (arguments.length < 2) throw new codes.ERR_MISSING_ARGS('type', 'listener');
    type = `${type}`;
    const capture = typeof options === 'boolean' ? options : Boolean(options?.capture);
    const list = table.get(type);
    const entry = list?.find((other) => other.listener === listener && other.capture === capture);
    if (entry !== undefined) removeEntry(table, type, entry);
  }

  dispatchEvent(event) {
    tableOf(this);
    if (arguments.length < 1) throw new codes.ERR_MISSING_ARGS('event');
    if (!(event instanceof Event)) throw new codes.ERR_INVALID_ARG_TYPE('event', 'Event', event);
    const state = stateOf(event);
    if (state.dispatching) throw new codes.ERR_EVENT_RECURSION(event.type);
    dispatch(this, event, state);
    return !event.defaultPrevented;
  }

  [customInspectSymbol](depth, options, inspect) {
    const { name } = this.constructor;
    return depth < 0 ? name : inspectAs(this, name, {}, depth, options, inspect);
  }
}
defineWebClass(EventTarget, ['addEventListener', 'removeEventListener', 'dispatchEvent']);

function removeEntry(table, type, entry) {
  entry.removed = true;
  const list = (table.get(type) ?? []).filter((other) => other !== entry);
  if (list.length === 0) table.delete(type);
  else table.set(type, list);
}

function callListener(target, event, entry) {
  try {
    const callback = typeof entry.listener === 'function' ? entry.listener : entry.listener.handleEvent;
    if (typeof callback !== 'function') return;
    const receiver = typeof entry.listener === 'function' ? target : entry.listener;
    const result = Reflect.apply(callback, receiver, [event]);
    if (result !== undefined && result !== null && typeof result.then === 'function') result.then(undefined, reportLater);
  } catch (error) {
    reportLater(error);
  }
}

// An exception in a listener is uncaught, but does not affect the other listeners.
function reportLater(error) { process.nextTick(() => { throw error; }); }

function dispatch(target, event, state) {
  state.target = target;
  state.dispatching = true;
  const table = tableOf(target);
  for (const entry of table.get(event.type) ?? []) {
    if (entry.removed) continue;
    if (state.stoppedImmediately) break;
    if (entry.once) removeEntry(table, event.type, entry);
    state.passive = entry.passive;
    callListener(target, event, entry);
    state.passive = false;
    // As in Node, where only the first listener sees that the event is dispatched.
    state.dispatching = false;
  }
  state.dispatching = false;
}

// Defines the property `on<name>`, which holds one listener.
function defineEventHandler(prototype, name) {
  const handlers = new WeakMap();
  Object.defineProperty(prototype, `on${name}`, {
    get() { return handlers.get(this)?.callback ?? null; },
    set(callback) {
      const valid = typeof callback === 'function' || (typeof callback === 'object' && callback !== null);
      const existing = handlers.get(this);
      if (existing !== undefined) {
        existing.callback = valid ? callback : null;
        return;
      }
      if (!valid) return;
      const handler = { callback };
      handlers.set(this, handler);
      this.addEventListener(name, function listener(event) {
        if (typeof handler.callback === 'function') Reflect.apply(handler.callback, this, [event]);
      });
    },
    enumerable: true,
    configurable: true,
  });
}

module.exports = {
  CustomEvent, Event, EventTarget, defineEventHandler, kTrusted, limits,
  listenersOf: (target, type) => (tables.get(target)?.get(type) ?? []).map((entry) => entry.listener),
};
