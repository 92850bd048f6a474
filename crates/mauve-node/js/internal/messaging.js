// MessagePort, MessageChannel and BroadcastChannel: their messages are structured clones.
const { codes } = require('internal/errors');
const { Event, EventTarget, defineEventHandler, limits, listenersOf } = require('internal/event_target');
const { cloneError, defineHostKind, kClone, serialize, setObjects, takeObjects } = require('internal/structured_clone');
const { defineWebClass } = require('internal/util/web_class');
const native = binding('messaging');
const { deserialize } = binding('serialize');
const kCreate = Symbol('create');
const untransferable = new WeakSet();
const typeError = (code, message) => Object.assign(new TypeError(message), { code });
let receive;
let drain;

class MessageEvent extends Event {
  constructor(type, options = {}) {
    super(type, options);
    const values = { data: null, origin: '', lastEventId: '', source: null, ports: [] };
    for (const name of Object.keys(values)) {
      Object.defineProperty(this, name, { value: name in options ? options[name] : values[name], enumerable: true });
    }
  }
}
defineWebClass(MessageEvent, []);

// An EventTarget with the most frequent methods of EventEmitter.
class NodeEventTarget extends EventTarget {
  #wrappers = [];

  on(type, listener, once = false) {
    if (this.#find(type, listener)) return this;
    const call = (event) => {
      if (once) this.off(type, listener);
      Reflect.apply(listener, this, [event instanceof MessageEvent ? event.data : event.detail ?? event]);
    };
    this.#wrappers.push({ type, listener, call });
    this.addEventListener(type, call);
    return this;
  }

  #find(type, listener) { return this.#wrappers.find((one) => one.type === type && one.listener === listener); }

  off(type, listener) {
    const wrapper = this.#find(type, listener);
    this.#wrappers = this.#wrappers.filter((one) => one !== wrapper);
    this.removeEventListener(type, wrapper?.call ?? listener);
    return this;
  }

  once(type, listener) { return this.on(type, listener, true); }
  emit(type, detail) { return this.dispatchEvent(Object.assign(new Event(type), { detail })); }
  eventNames() { return [...new Set(this.#wrappers.map(({ type }) => type))]; }
  listenerCount(type) { return listenersOf(this, type).length; }
  setMaxListeners(count) { limits.set(this, count); }
  getMaxListeners() { return limits.get(this) ?? require('events').defaultMaxListeners; }

  removeAllListeners(type) {
    for (const one of this.#wrappers) if (type === undefined || one.type === type) this.off(one.type, one.listener);
    return this;
  }
}
NodeEventTarget.prototype.addListener = NodeEventTarget.prototype.on;
NodeEventTarget.prototype.removeListener = NodeEventTarget.prototype.off;

function transferList(options) {
  if (options === undefined || options === null) return [];
  const list = typeof options[Symbol.iterator] === 'function' ? options : options.transfer ?? [];
  if (typeof list[Symbol.iterator] === 'function') return [...list];
  throw typeError('ERR_INVALID_ARG_TYPE', 'Optional options.transfer argument must be an iterable');
}

// Sends a value with what it transfers.
function post(id, value, list) {
  const { bytes, buffers, objects } = serialize(value, list);
  native.post(id, bytes, buffers.map((buffer) => new Uint8Array(buffer)), objects.map((object) => object[kClone](true)));
}

// The value of a message, and its ports.
function open([bytes, buffers, ids]) {
  const ports = ids.map((id) => new MessagePort(kCreate, id));
  const before = setObjects(ports);
  try {
    return { data: deserialize(bytes, buffers), ports };
  } finally {
    setObjects(before);
  }
}

function deliver(target, message) {
  let event;
  try {
    event = new MessageEvent('message', open(message));
  } catch (data) {
    event = new MessageEvent('messageerror', { data });
  }
  target.dispatchEvent(event);
}

class MessagePort extends NodeEventTarget {
  #id;
  #listeners = 0;

  constructor(key, id) {
    if (key !== kCreate) throw new codes.ERR_CONSTRUCT_CALL_INVALID();
    super();
    this.#id = id;
    native.listen(id, (message) => (message ? deliver(this, message) : this.#onClose()));
  }

  #onClose() {
    this.#id = undefined;
    this.dispatchEvent(new Event('close'));
  }

  get isTransferable() {
    if (this.#id === undefined) throw cloneError('MessagePort in transfer list is already detached');
    return !untransferable.has(this);
  }

  // The kind and the position in the transfer list; or, if it moves, the number of the port.
  [kClone](isMoved) {
    if (isMoved) {
      const id = this.#id;
      this.#id = undefined;
      return id;
    }
    const index = serialize.objects.indexOf(this);
    if (index < 0) throw cloneError('Object that needs transfer was found in message but not listed in transferList');
    return [PORT, index];
  }

  addEventListener(type, listener, options) {
    super.addEventListener(type, listener, options);
    if (type === 'message' && this.#listeners++ === 0) {
      this.ref();
      this.start();
    }
  }

  removeEventListener(type, listener, options) {
    const before = this.listenerCount(type);
    super.removeEventListener(type, listener, options);
    if (type === 'message' && this.listenerCount(type) < before && --this.#listeners === 0) this.unref();
  }

  postMessage(value, options) {
    if (arguments.length === 0) throw typeError('ERR_MISSING_ARGS', 'Not enough arguments to MessagePort.postMessage');
    const list = transferList(options);
    if (list.includes(this)) throw cloneError('Transfer list contains source port');
    if (this.#id !== undefined) post(this.#id, value, list);
  }

  close(callback) {
    if (typeof callback === 'function') this.once('close', callback);
    const id = this.#id;
    this.#id = undefined;
    if (id !== undefined) native.close(id, () => this.#onClose());
  }

  start() { if (this.#id !== undefined) native.start(this.#id); }
  ref() { if (this.#id !== undefined) native.setRef(this.#id, true); }
  unref() { if (this.#id !== undefined) native.setRef(this.#id, false); }
  hasRef() { return this.#id !== undefined && native.hasRef(this.#id); }

  static {
    // The next message, without waiting for the loop.
    receive = (port) => {
      if (!(port instanceof MessagePort)) throw typeError('ERR_INVALID_ARG_TYPE', 'The "port" argument must be a MessagePort instance');
      const message = port.#id === undefined ? undefined : native.receive(port.#id);
      return message && { message: open(message).data };
    };
    // Delivers what is queued, without waiting for the loop.
    drain = (port) => { for (let message; port.#id !== undefined && (message = native.receive(port.#id));) deliver(port, message); };
  }
}
for (const name of ['isTransferable', kClone]) Object.defineProperty(MessagePort.prototype, name, { enumerable: false });
defineWebClass(MessagePort, ['postMessage', 'start', 'close', 'ref', 'unref', 'hasRef']);
for (const name of ['message', 'messageerror', 'close']) defineEventHandler(MessagePort.prototype, name);

const PORT = defineHostKind((index) => takeObjects()[index]);

class MessageChannel {
  constructor() { [this.port1, this.port2] = native.createChannel().map((id) => new MessagePort(kCreate, id)); }
}

class BroadcastChannel extends EventTarget {
  #id;
  #name;

  constructor(name) {
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('name');
    super();
    this.#name = `${name}`;
    this.#id = native.openBroadcast(this.#name);
    native.listen(this.#id, (message) => message && deliver(this, message));
    native.start(this.#id);
    this.ref();
  }

  get name() { return this.#name; }

  postMessage(message) {
    if (arguments.length === 0) throw new codes.ERR_MISSING_ARGS('message');
    const { DOMException } = require('internal/dom_exception');
    if (this.#id === undefined) throw new DOMException('BroadcastChannel is closed.', 'InvalidStateError');
    post(this.#id, message, []);
  }

  close() {
    if (this.#id !== undefined) native.close(this.#id, () => {});
    this.#id = undefined;
  }

  #setRef(on) {
    if (this.#id !== undefined) native.setRef(this.#id, on);
    return this;
  }

  ref() { return this.#setRef(true); }
  unref() { return this.#setRef(false); }
}
defineWebClass(BroadcastChannel, ['name', 'close', 'postMessage']);
for (const name of ['message', 'messageerror']) defineEventHandler(BroadcastChannel.prototype, name);

const adopt = (id) => new MessagePort(kCreate, id);
module.exports = { BroadcastChannel, MessageChannel, MessageEvent, MessagePort, adopt, drain, receive, untransferable };
