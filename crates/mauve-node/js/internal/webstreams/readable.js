// ReadableStream, with the algorithms of the standard. Streams of bytes have readers of chunks only.
const { Queue, algorithm, deferred, define, illegal, invalidState, kMake, noop, quiet, rejectWrong, stateOf, states, strategyOf } = require('internal/webstreams/common');
const { codes } = require('internal/errors');
const writable = require('internal/webstreams/writable');

class ReadableStream {
  constructor(source = undefined, strategy = undefined) {
    const s = { name: 'ReadableStream', state: 'readable', object: this };
    states.set(this, s);
    if (source === kMake) return;
    const isBytes = source?.type !== undefined;
    if (isBytes && `${source.type}` !== 'bytes') throw new codes.ERR_INVALID_ARG_VALUE('source.type', source.type);
    if (isBytes && strategy?.size !== undefined) throw new codes.ERR_INVALID_ARG_VALUE.RangeError('strategy.size', strategy.size);
    const sizes = strategyOf(strategy, isBytes ? 0 : 1);
    const [pull, stop] = ['pull', 'cancel'].map((name) => algorithm(source, name, 'source'));
    setUp(s, { start: (controller) => source?.start?.(controller), pull, cancel: stop, isBytes }, sizes);
  }

  get locked() { return stateOf(this, 'ReadableStream').reader !== undefined; }

  static from(iterable) {
    const method = iterable?.[Symbol.asyncIterator] ?? iterable?.[Symbol.iterator];
    if (typeof method !== 'function') throw new codes.ERR_ARG_NOT_ITERABLE(iterable);
    const iterator = Reflect.apply(method, iterable, []);
    const pull = async (controller) => {
      const result = await iterator.next();
      if (result === null || typeof result !== 'object') throw invalidState('The promise returned by the iterator.next() method must fulfill with an object');
      if (result.done) controller.close();
      else controller.enqueue(await result.value);
    };
    return new ReadableStream({ pull, cancel: async (reason) => { await iterator.return?.(reason); } }, { highWaterMark: 0 });
  }

  cancel(reason) {
    return rejectWrong(this, 'ReadableStream', (s) => (s.reader ? Promise.reject(invalidState('ReadableStream is locked')) : cancel(s, reason)));
  }

  getReader(options = {}) {
    const s = stateOf(this, 'ReadableStream');
    if (options?.mode === undefined) return new ReadableStreamDefaultReader(this);
    if (`${options.mode}` !== 'byob') throw new codes.ERR_INVALID_ARG_VALUE('options.mode', options.mode);
    if (!s.controller.isBytes) throw new codes.ERR_INVALID_ARG_VALUE('stream', this);
    throw new codes.ERR_MAUVE_NOT_IMPLEMENTED('ReadableStreamBYOBReader');
  }

  pipeThrough(transform, options) {
    const s = stateOf(this, 'ReadableStream');
    const to = transform?.writable;
    if (states.get(transform?.readable)?.name !== 'ReadableStream') throw new codes.ERR_INVALID_ARG_TYPE('transform.readable', 'ReadableStream', transform?.readable);
    if (states.get(to)?.name !== 'WritableStream') throw new codes.ERR_INVALID_ARG_TYPE('transform.writable', 'WritableStream', to);
    if (s.reader || states.get(to).writer) throw invalidState(`The ${s.reader ? 'Readable' : 'Writable'}Stream is locked`);
    quiet(pipe(s, states.get(to), options));
    return transform.readable;
  }

  pipeTo(to, options = undefined) {
    return rejectWrong(this, 'ReadableStream', (s) => {
      const target = stateOf(to, 'WritableStream');
      if (s.reader || target.writer) throw invalidState(`The ${s.reader ? 'Readable' : 'Writable'}Stream is locked`);
      return pipe(s, target, options);
    });
  }

  tee() { return tee(stateOf(this, 'ReadableStream')); }

  values({ preventCancel = false } = {}) {
    const reader = this.getReader();
    let last = Promise.resolve();
    let isDone = false;
    const inOrder = (work) => {
      last = last.then(work, work);
      return last;
    };
    const next = async () => {
      if (isDone) return { value: undefined, done: true };
      try {
        const result = await reader.read();
        if (result.done) release();
        return result;
      } catch (error) {
        release();
        throw error;
      }
    };
    const release = () => {
      isDone = true;
      reader.releaseLock();
    };
    const end = async (value) => {
      if (!isDone) {
        const cancelled = preventCancel ? undefined : reader.cancel(value);
        release();
        await cancelled;
      }
      return { value, done: true };
    };
    const prototype = Object.getPrototypeOf(Object.getPrototypeOf(async function* () {}).prototype);
    return Object.assign(Object.create(prototype), { next: () => inOrder(next), return: (value) => inOrder(() => end(value)) });
  }

  [Symbol.asyncIterator](options) { return this.values(options); }
}
define(ReadableStream, ['cancel', 'getReader', 'locked', 'pipeThrough', 'pipeTo', 'tee', 'values'],
  (s, self) => ({ locked: self.locked, state: s.state, supportsBYOB: s.controller.isBytes === true }));

function defineController(name, check) {
  const Class = { [name]: class {
    constructor(key) { illegal(key); }
    get desiredSize() { return desired(stateOf(this, name)); }

    close() {
      const c = stateOf(this, name);
      if (!canEnqueue(c)) throw invalidState('Controller is already closed');
      finish(c);
    }

    enqueue(chunk = undefined) {
      const c = stateOf(this, name);
      check(chunk);
      if (!canEnqueue(c)) throw invalidState('Controller is already closed');
      enqueue(c, chunk);
    }

    error(error = undefined) { fail(stateOf(this, name), error); }
  } }[name];
  define(Class, ['close', 'desiredSize', 'enqueue', 'error']);
  return Class;
}
const ReadableStreamDefaultController = defineController('ReadableStreamDefaultController', noop);
const ReadableByteStreamController = defineController('ReadableByteStreamController', (chunk) => {
  if (!ArrayBuffer.isView(chunk)) throw new codes.ERR_INVALID_ARG_TYPE('buffer', ['Buffer', 'TypedArray', 'DataView'], chunk);
  if (chunk.byteLength === 0) throw invalidState('chunk ArrayBuffer is zero-length or detached');
});
Object.defineProperty(ReadableByteStreamController.prototype, 'byobRequest', { get: () => null, enumerable: true, configurable: true });

function setUp(s, { start, pull, cancel: stop, isBytes = false }, { mark, sizeOf }) {
  const Class = isBytes ? ReadableByteStreamController : ReadableStreamDefaultController;
  const controller = new Class(kMake);
  const c = { name: Class.name, stream: s, queue: new Queue(), mark, sizeOf: isBytes ? (view) => view.byteLength : sizeOf, pull, cancel: stop, controller, isBytes };
  states.set(controller, c);
  s.controller = c;
  Promise.resolve(start(controller)).then(() => {
    c.started = true;
    pullIfNeeded(c);
  }, (error) => fail(c, error));
}

const canEnqueue = (c) => !c.closeRequested && c.stream.state === 'readable';
const waiting = (c) => c.stream.reader?.requests ?? [];

function desired(c) {
  if (c.stream.state === 'errored') return null;
  return c.stream.state === 'closed' ? 0 : c.mark - c.queue.total;
}

function pullIfNeeded(c) {
  if (!canEnqueue(c) || !c.started || (waiting(c).length === 0 && desired(c) <= 0)) return;
  if (c.pulling) {
    c.pullAgain = true;
    return;
  }
  c.pulling = true;
  c.pull(c.controller).then(() => {
    c.pulling = false;
    if (!c.pullAgain) return;
    c.pullAgain = false;
    pullIfNeeded(c);
  }, (error) => fail(c, error));
}

function enqueue(c, chunk) {
  // The stream takes the memory of bytes.
  const { byteOffset, byteLength } = chunk ?? {};
  const view = c.isBytes ? new Uint8Array(chunk.buffer.transfer(), byteOffset, byteLength) : chunk;
  if (waiting(c).length > 0) waiting(c).shift().chunk(view);
  else {
    try {
      c.queue.push(view, c.sizeOf(view));
    } catch (error) {
      fail(c, error);
      throw error;
    }
  }
  pullIfNeeded(c);
}

function finish(c) {
  c.closeRequested = true;
  if (c.queue.list.length === 0) close(c.stream);
}

function close(s) {
  s.state = 'closed';
  if (!s.reader) return;
  s.reader.closed.resolve();
  for (const request of s.reader.requests.splice(0)) request.close();
}

function fail(c, error) {
  const s = c.stream;
  if (s.state !== 'readable') return;
  c.queue.clear();
  s.state = 'errored';
  s.error = error;
  if (!s.reader) return;
  s.reader.closed.reject(error);
  for (const request of s.reader.requests.splice(0)) request.error(error);
}

function cancel(s, reason) {
  s.disturbed = true;
  if (s.state === 'closed') return Promise.resolve();
  if (s.state === 'errored') return Promise.reject(s.error);
  close(s);
  s.controller.queue.clear();
  return s.controller.cancel(reason).then(noop);
}

function read(s, request) {
  s.disturbed = true;
  if (s.state === 'closed') return request.close();
  if (s.state === 'errored') return request.error(s.error);
  const c = s.controller;
  if (c.queue.list.length === 0) {
    s.reader.requests.push(request);
    return pullIfNeeded(c);
  }
  const chunk = c.queue.shift();
  if (c.closeRequested && c.queue.list.length === 0) close(s);
  else pullIfNeeded(c);
  return request.chunk(chunk, true);
}

function lock(s, name) {
  if (s.reader) throw invalidState('ReadableStream is locked');
  const reader = { name, stream: s, requests: [], closed: deferred() };
  s.reader = reader;
  if (s.state === 'closed') reader.closed.resolve();
  else if (s.state === 'errored') reader.closed.reject(s.error);
  return reader;
}

function unlock(reader) {
  const [error, released] = ['Releasing reader', 'Reader released'].map(invalidState);
  reader.closed.reject(released);
  reader.closed = deferred();
  reader.closed.reject(released);
  reader.stream.reader = undefined;
  reader.stream = undefined;
  for (const request of reader.requests.splice(0)) request.error(error);
}

class ReadableStreamDefaultReader {
  constructor(stream) {
    const s = states.get(stream);
    if (s?.name !== 'ReadableStream') throw new codes.ERR_INVALID_ARG_TYPE('stream', 'ReadableStream', stream);
    states.set(this, lock(s, 'ReadableStreamDefaultReader'));
  }

  get closed() { return rejectWrong(this, 'ReadableStreamDefaultReader', (r) => r.closed.promise); }

  read() {
    return rejectWrong(this, 'ReadableStreamDefaultReader', (r) => {
      if (!r.stream) throw invalidState('The reader is not attached to a stream');
      const { promise, resolve, reject } = Promise.withResolvers();
      read(r.stream, { chunk: (value, isQueued) => resolve(isQueued ? { done: false, value } : { value, done: false }), close: () => resolve({ value: undefined, done: true }), error: reject });
      return promise;
    });
  }

  cancel(reason) {
    return rejectWrong(this, 'ReadableStreamDefaultReader', (r) => {
      if (!r.stream) throw invalidState('The reader is not attached to a stream');
      return cancel(r.stream, reason);
    });
  }

  releaseLock() {
    const r = stateOf(this, 'ReadableStreamDefaultReader');
    if (r.stream) unlock(r);
  }
}
define(ReadableStreamDefaultReader, ['cancel', 'closed', 'read', 'releaseLock'],
  (r) => ({ stream: r.stream?.object, readRequests: r.requests.length, close: r.closed.promise }));

function tee(s) {
  const reader = lock(s, 'tee');
  const branches = [];
  const reasons = [];
  const cancelled = deferred();
  let isReading = false;
  let readAgain = false;
  const pull = async () => {
    if (isReading) {
      readAgain = true;
      return;
    }
    isReading = true;
    const settle = (work) => () => {
      isReading = false;
      for (const [i, branch] of branches.entries()) if (!(i in reasons)) work(branch);
      if (!(0 in reasons && 1 in reasons)) cancelled.resolve();
    };
    read(s, { chunk: (value) => queueMicrotask(() => {
      readAgain = false;
      for (const [i, branch] of branches.entries()) {
        if (i in reasons || !canEnqueue(branch)) continue;
        enqueue(branch, branch.isBytes && i === 1 ? value.slice() : branch.isBytes ? new Uint8Array(value) : value);
      }
      isReading = false;
      if (readAgain) pull();
    }), close: settle(finish), error: () => { isReading = false; } });
  };
  for (const index of [0, 1]) {
    const branch = new ReadableStream(kMake);
    const stop = (reason) => {
      reasons[index] = reason;
      if (0 in reasons && 1 in reasons) cancel(s, [...reasons]).then(cancelled.resolve, cancelled.reject);
      return cancelled.promise;
    };
    setUp(states.get(branch), { start: noop, pull, cancel: stop, isBytes: s.controller.isBytes }, { mark: s.controller.isBytes ? 0 : 1, sizeOf: () => 1 });
    branches.push(states.get(branch).controller);
  }
  reader.closed.promise.catch((error) => {
    for (const branch of branches) fail(branch, error);
    if (!(0 in reasons && 1 in reasons)) cancelled.resolve();
  });
  return branches.map((branch) => branch.stream.object);
}

function pipe(s, target, options) {
  const { preventClose = false, preventAbort = false, preventCancel = false, signal } = options ?? {};
  if (signal !== undefined && !(signal instanceof AbortSignal)) return Promise.reject(new codes.ERR_INVALID_ARG_TYPE('options.signal', 'AbortSignal', signal));
  const reader = lock(s, 'pipe');
  const writer = new writable.WritableStreamDefaultWriter(target.object);
  const w = states.get(writer);
  const result = Promise.withResolvers();
  let isEnding = false;
  let lastWrite = Promise.resolve();
  s.disturbed = true;

  // Ends the pipe, after what was read is written and after an action.
  async function end(action, isError = false, error = undefined) {
    if (isEnding) return;
    isEnding = true;
    if (target.state === 'writable' && !writable.isClosing(target)) {
      for (let seen; seen !== lastWrite;) {
        seen = lastWrite;
        await seen.catch(noop);
      }
    }
    try {
      await action?.();
    } catch (failure) {
      [isError, error] = [true, failure];
    }
    writer.releaseLock();
    unlock(reader);
    signal?.removeEventListener('abort', onAbort);
    if (isError) result.reject(error);
    else result.resolve();
  }

  function onAbort() {
    const actions = [];
    if (!preventAbort) actions.push(() => (target.state === 'writable' ? writable.abort(target, signal.reason) : undefined));
    if (!preventCancel) actions.push(() => (s.state === 'readable' ? cancel(s, signal.reason) : undefined));
    end(() => Promise.all(actions.map((action) => action())), true, signal.reason);
  }
  if (signal?.aborted) onAbort();
  else signal?.addEventListener('abort', onAbort);

  const onFailed = (error) => end(preventAbort ? undefined : () => writable.abort(target, error), true, error);
  const onTargetFailed = (error) => end(preventCancel ? undefined : () => cancel(s, error), true, error);
  const onClosed = () => end(preventClose ? undefined : () => writable.closeOrFail(target));
  if (s.state === 'errored') onFailed(s.error);
  else if (target.state === 'errored') onTargetFailed(target.error);
  else if (s.state === 'closed') onClosed();
  else if (writable.isClosing(target) || target.state === 'closed') onTargetFailed(invalidState('Destination WritableStream is closed'));
  reader.closed.promise.then(onClosed, onFailed);
  w.closed.promise.catch(onTargetFailed);

  function step() {
    if (isEnding) return;
    w.ready.promise.then(() => {
      if (isEnding) return;
      read(s, { chunk: (value) => queueMicrotask(() => {
        lastWrite = quiet(writable.write(target, value));
        step();
      }), close: noop, error: noop });
    }, noop);
  }
  step();
  return result.promise;
}

module.exports = { ReadableByteStreamController, ReadableStream, ReadableStreamDefaultController, ReadableStreamDefaultReader, canEnqueue, cancel, desired, enqueue, fail, finish, setUp };
