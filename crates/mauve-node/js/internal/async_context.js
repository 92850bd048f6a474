// The asynchronous context: which operation the current callback belongs to, the stores of
// AsyncLocalStorage, and the events of async_hooks.
//
// A record describes an operation: its id, the id of the operation that started it, its resource, and the
// stores that were current at its start. Timers, ticks and requests get theirs where they start.
//
// Promises get theirs in the promise hook of the engine. That hook reports no reactions, so each reaction is
// preceded by a job of ours, which enters the record. The job is added when the engine reads `constructor`
// of the promise, which `then` and `await` do right before they add the reaction. An `await` of any other
// value creates a promise, and our job is queued when that promise is resolved.
const native = binding('promise_hooks');
const timers = binding('timers');
const state = require('internal/async_state');

// Outside of all callbacks, for example in promise jobs without hooks and in 'beforeExit'.
const outside = { id: 0, trigger: 0, resource: {}, stores: undefined };
let current = state.isMainRunning ? { ...outside, id: 1, resource: {} } : outside;
let lastId = 1;

// The enabled hooks. The array is replaced, not changed. Changes by a hook apply after the event.
let hooks = [];
let changedHooks;
let emitDepth = 0;

function emit(event, ...args) {
  if (hooks.length === 0) return;
  emitDepth++;
  for (const hook of hooks) {
    if (hook[event] === undefined) continue;
    try {
      hook[event](...args);
    } catch (error) {
      binding('stdio').writeText(2, `${error?.stack ?? error}\n`);
      process.exit(1);
    }
  }
  if (--emitDepth === 0 && changedHooks !== undefined) [hooks, changedHooks] = [changedHooks, undefined];
}

function create(type, resource, trigger = current.id) {
  settleRead();
  const record = { id: ++lastId, trigger, resource, stores: current.stores };
  emit('init', record.id, type, trigger, resource);
  return record;
}

let destroyed = [];

// Emits 'destroy' in the check phase, which is not delayed by this and does not delay the exit.
function destroy(record) {
  if (record === undefined || record.isDestroyed || hooks.length === 0) return;
  record.isDestroyed = true;
  destroyed.push(record.id);
  if (destroyed.length > 1) return;
  timers.setImmediateRef(timers.setImmediate({}, flushDestroyed), false);
}

// The host calls this before 'beforeExit', too. What a hook adds is emitted as well.
function flushDestroyed() {
  for (const id of destroyed) emit('destroy', id);
  destroyed = [];
}

let collected;

function destroyWhenCollected(resource, { id }) {
  if (!hooks.some((hook) => hook.destroy !== undefined)) return undefined;
  collected ??= new FinalizationRegistry(destroy);
  const token = { id, isDestroyed: false };
  collected.register(resource, token);
  return token;
}

// What a callback that threw has entered. It is left after the listeners of 'uncaughtException' have run.
let thrown;

function unwind() {
  if (thrown === undefined) return;
  const { record, outer } = thrown;
  thrown = undefined;
  emit('after', record.id);
  current = outer;
}

// Runs a callback of the loop.
function run(record, fn, receiver, args) {
  unwind();
  settleRead();
  const outer = current;
  current = record;
  emit('before', record.id);
  let result;
  try {
    result = Reflect.apply(fn, receiver, args);
  } catch (error) {
    thrown = { record, outer };
    throw error;
  }
  settleRead();
  emit('after', record.id);
  current = outer;
  return result;
}

// Runs a function that the script calls.
function runScope(record, fn, receiver, args) {
  settleRead();
  const outer = current;
  current = record;
  emit('before', record.id);
  try {
    return Reflect.apply(fn, receiver, args);
  } finally {
    settleRead();
    emit('after', record.id);
    current = outer;
  }
}

// Runs the last callback of an operation. 'destroy' comes before the immediates that the callback makes. A hook
// that the callback enables gets it as well.
function runLast(record, fn, receiver, args) {
  destroy(record);
  try {
    return run(record, fn, receiver, args);
  } finally {
    destroy(record);
  }
}

function runWith(stores, fn, receiver, args) {
  settleRead();
  const record = current;
  const outer = record.stores;
  record.stores = stores;
  try {
    return Reflect.apply(fn, receiver, args);
  } finally {
    settleRead();
    record.stores = outer;
  }
}

// The callback of an operation that completes once.
function wrapOnce(type, callback, resource = {}, trigger = undefined) {
  const record = create(type, resource, trigger);
  return function wrapped(...args) { return runLast(record, callback, this, args); };
}

// Promises.

const { then } = Promise.prototype;
const resolved = Promise.resolve();
const records = new WeakMap();

// Whether promises are created here, which the hook ignores.
let isInternal = false;

function react(promise, reaction) {
  isInternal = true;
  Reflect.apply(then, promise, [reaction, reaction]);
  isInternal = false;
}

// The promise job that runs: its record, whether it gets events, and the record before it.
let job;
let isJobNext = false;

function beginJob(record, hasEvents, resource = undefined) {
  const outer = job === undefined ? current : job.outer;
  endJob();
  job = { record, hasEvents, outer, resource };
  isJobNext = true;
  current = record;
  if (hasEvents) emit('before', record.id);
}

function endJob() {
  if (job === undefined) return;
  settleRead();
  if (job.hasEvents) emit('after', job.record.id);
  current = job.outer;
  job = undefined;
}

// The host calls this after each promise job, and again after the last one.
function afterJob() {
  if (isJobNext) isJobNext = false;
  else endJob();
}

// The last read of `constructor` of a promise. If no promise was created by it, it was that of an `await`.
let read;

function settleRead() {
  if (read === undefined) return;
  const { promise, stores, at } = read;
  const trigger = records.get(promise)?.id ?? at.id;
  const record = { id: ++lastId, trigger, resource: {}, stores };
  read.record = record;
  read = undefined;
  emit('init', record.id, 'PROMISE', trigger, record.resource);
}

function readConstructor() {
  if (isInternal || this === Promise.prototype || !require('internal/util/types').isPromise(this)) return Promise;
  settleRead();
  const entry = { promise: this, record: undefined, stores: current.stores, at: current };
  markReacted(this);
  react(this, () => {
    if (read === entry) settleRead();
    beginJob(entry.record, true, entry.resource);
  });
  read = entry;
  return Promise;
}

function markReacted(promise) {
  const record = records.get(promise);
  if (record !== undefined) record.hasReaction = true;
}

// Events of the promise hook.
const [INIT, RESOLVE, BEFORE] = [0, 1, 2];

function onPromiseEvent(event, promise, parent) {
  if (isInternal) return;
  if (event === INIT) onInit(promise, parent);
  const record = records.get(promise);
  if (event === RESOLVE && record !== undefined) onResolve(record);
  else if (event === BEFORE && record !== undefined) beginThenable(record);
}

function onInit(promise, parent) {
  const entry = read;
  if (entry !== undefined && entry.promise === parent) read = undefined;
  const record = create('PROMISE', promise, parent && records.get(parent)?.id);
  // The table would keep a promise alive that its own record refers to.
  record.resource = undefined;
  records.set(promise, record);
  destroyWhenCollected(promise, record);
  if (parent === undefined) return;
  record.hasReaction = true;
  if (entry?.promise === parent) Object.assign(entry, { record, resource: promise });
  // For a subclass, `then` would call its constructor. Its reactions run in the record of the first.
  else if (records.has(parent)) records.get(parent).reaction ??= record;
}

function onResolve(record) {
  settleRead();
  emit('promiseResolve', record.id);
  const { reaction, hasReaction } = record;
  if (reaction !== undefined) react(resolved, () => beginJob(reaction, true));
  else if (!hasReaction) react(resolved, () => beginJob(record, false));
}

// A job that calls `then` of a thenable.
function beginThenable(record) {
  beginJob(record, false);
  isJobNext = false;
}

// Bindings.

// The records of handles, by binding and number. A callback of a handle gets a copy, so that a store that it
// enters is not that of the next callback.
const handles = new Map();

const kinds = {
  tcp: { create: 'TCPWRAP', connect: 'TCPCONNECTWRAP', listen: 'TCPSERVERWRAP' },
  pipe: { create: 'PIPEWRAP', connect: 'PIPECONNECTWRAP', listen: 'PIPESERVERWRAP' },
  udp: { create: 'UDPWRAP', send: 'UDPSENDWRAP' },
  crypto: { digest: 'HASHREQUEST', hkdf: 'DERIVEBITSREQUEST', pbkdf2: 'PBKDF2REQUEST',
    randomBytes: 'RANDOMBYTESREQUEST', scrypt: 'SCRYPTREQUEST' },
  dns: { lookup: 'GETADDRINFOREQWRAP', lookupService: 'GETNAMEINFOREQWRAP' },
  fs: { watch: 'FSEVENTWRAP' },
  spawn: { spawn: 'PROCESSWRAP' },
  signals: { watch: 'SIGNALWRAP' },
  stream: { writeAll: 'WRITEWRAP', shutdown: 'SHUTDOWNWRAP' },
  stdio_streams: { write: 'WRITEWRAP', shutdown: 'SHUTDOWNWRAP' },
};
// Functions whose callback belongs to a handle and is called repeatedly.
const REPEATED = new Set(['listen', 'readStart', 'recvStart']);

function wrapRepeated(record, callback) { return function wrapped(...args) { return run({ ...record }, callback, this, args); }; }

// The handles of these bindings have numbers of their own.
const TABLES = new Set(['fs', 'signals', 'spawn', 'udp']);

function trackBinding(name, object) {
  if (kinds[name] === undefined) return;
  const table = TABLES.has(name) ? name : 'stream';
  for (const key of Object.keys(object)) {
    const original = object[key];
    if (typeof original !== 'function') continue;
    const type = kinds[name][key] ?? (name === 'fs' ? 'FSREQCALLBACK' : undefined);
    if (key === 'create') {
      object[key] = (isServer) => {
        const id = original();
        handles.set(`${table} ${id}`, create(isServer ? kinds[name].listen : type, { id }));
        return id;
      };
    } else {
      object[key] = (...args) => {
        const at = args.findLastIndex((arg) => typeof arg === 'function');
        // The first argument of other operations on files is a path or a descriptor, in crypto it is data.
        const hasHandle = (name !== 'fs' && name !== 'crypto') || key === 'unwatch';
        const handle = hasHandle ? handles.get(`${table} ${args[0]}`) : undefined;
        if ((key === 'close' || key === 'unwatch') && handle !== undefined) {
          handles.delete(`${table} ${args[0]}`);
          const callback = args[at];
          if (at >= 0) args[at] = (...values) => runLast(handle, callback, undefined, values);
          else destroy(handle);
          return original(...args);
        }
        if (at < 0) return original(...args);
        if (key === 'watch' || key === 'spawn') {
          const record = create(type, {});
          args[at] = wrapRepeated(record, args[at]);
          return key === 'watch' ? watchIn(record, table, original, args) : spawnIn(original, args);
        }
        if (key === 'listen') args[at] = acceptIn(handle ?? create(type, {}), args[at], table, kinds[name].create);
        else if (REPEATED.has(key)) args[at] = wrapRepeated(handle ?? create(type ?? 'TTYWRAP', {}), args[at]);
        else if (type === undefined) args[at] = wrapRepeated(handle ?? current, args[at]);
        else args[at] = wrapOnce(type, args[at], undefined, handle?.id);
        return original(...args);
      };
    }
  }
}

function watchIn(record, table, original, args) {
  const key = original(...args);
  handles.set(`${table} ${key}`, record);
  return key;
}

// The pipes of a child are handles of their own.
function spawnIn(original, args) {
  const reply = original(...args);
  for (const id of reply.slice(2)) if (id !== null) handles.set(`stream ${id}`, create('PIPEWRAP', { id }));
  return reply;
}

// A connection is a handle of its own.
function acceptIn(server, callback, table, type) {
  return wrapRepeated(server, (errno, id) => {
    if (errno === 0) handles.set(`${table} ${id}`, create(type, { id }));
    callback(errno, id);
  });
}

// Starts tracking, except for promises, whose jobs become slower.
function track() {
  if (state.tracker !== undefined) return;
  state.tracker = module.exports;
  timers.observeTicks();
  binding.visit(trackBinding);
}

let tracksPromises = false;

function trackPromises() {
  track();
  if (tracksPromises) return;
  tracksPromises = true;
  Object.defineProperty(Promise.prototype, 'constructor', {
    get: readConstructor,
    set(value) { Object.defineProperty(this, 'constructor', { value, writable: true, enumerable: true, configurable: true }); },
    configurable: true,
  });
  native.setPromiseHook(onPromiseEvent, afterJob);
}

module.exports = {
  create, destroy, destroyWhenCollected, endJob,
  endMain() { current = outside; },
  flushDestroyed, run, runLast, runScope, runWith, track, trackPromises, unwind, wrapOnce, wrapRepeated,
  getCurrent() {
    settleRead();
    return current;
  },
  getResource: () => current.resource ?? job?.resource ?? {},
  // Runs the job of queueMicrotask.
  queueMicrotask(fn, callback) {
    const record = create('Microtask', { callback });
    react(resolved, () => beginJob(record, true));
    react(resolved, () => {
      fn();
      destroy(record);
      if (!tracksPromises) endJob();
    });
  },
  // Starts operations that a stream triggers.
  triggeredBy(streamId, fn) {
    const outer = current;
    current = { ...(handles.get(`stream ${streamId}`) ?? current), stores: current.stores };
    fn();
    current = outer;
  },
  recordOf: (promise) => records.get(promise),
  setHooks(list) {
    if (emitDepth > 0) changedHooks = list;
    else hooks = list;
    if (list.length > 0) trackPromises();
  },
  getHooks: () => changedHooks ?? hooks,
};
