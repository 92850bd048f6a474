// WritableStream, with the algorithms of the standard.
const { Queue, algorithm, deferred, define, illegal, invalidState, kMake, quiet, rejectWrong, stateOf, states, strategyOf } = require('internal/webstreams/common');
const { codes } = require('internal/errors');
const CLOSE = Symbol('close');

class WritableStream {
  constructor(sink = undefined, strategy = undefined) {
    const s = { name: 'WritableStream', state: 'writable', writes: [], object: this };
    states.set(this, s);
    if (sink === kMake) return;
    if (sink?.type !== undefined) throw new codes.ERR_INVALID_ARG_VALUE.RangeError('type', sink.type);
    const sizes = strategyOf(strategy, 1);
    const [onWrite, onClose, onAbort] = ['write', 'close', 'abort'].map((name) => algorithm(sink, name, 'sink'));
    setUp(s, { start: (controller) => sink?.start?.(controller), write: onWrite, close: onClose, abort: onAbort }, sizes);
  }

  get locked() { return stateOf(this, 'WritableStream').writer !== undefined; }

  abort(reason) {
    return rejectWrong(this, 'WritableStream', (s) => (s.writer ? Promise.reject(invalidState('WritableStream is locked')) : abort(s, reason)));
  }

  close() {
    return rejectWrong(this, 'WritableStream', (s) => {
      if (s.writer) throw invalidState('WritableStream is locked');
      if (isClosing(s)) throw invalidState('Failure closing WritableStream');
      return close(s);
    });
  }

  getWriter() { return new WritableStreamDefaultWriter(this); }
}
define(WritableStream, ['abort', 'close', 'getWriter', 'locked'], (s, self) => ({ locked: self.locked, state: s.state }));

class WritableStreamDefaultController {
  constructor(key) { illegal(key); }
  get signal() { return stateOf(this, 'WritableStreamDefaultController').abortion.signal; }

  error(error) {
    const c = stateOf(this, 'WritableStreamDefaultController');
    if (c.stream.state === 'writable') fail(c, error);
  }
}
define(WritableStreamDefaultController, ['signal', 'error']);

function setUp(s, { start, write: put, close: end, abort: stop }, { mark, sizeOf }) {
  const controller = new WritableStreamDefaultController(kMake);
  const c = { name: 'WritableStreamDefaultController', stream: s, queue: new Queue(), mark, sizeOf, write: put, close: end, abort: stop,
    abortion: new AbortController(), controller };
  states.set(controller, c);
  s.controller = c;
  updateBackpressure(s, desired(c) <= 0);
  // A start function that throws makes the constructor throw.
  Promise.resolve(start(controller)).then(() => {
    c.started = true;
    advance(c);
  }, (error) => {
    c.started = true;
    dealWithRejection(s, error);
  });
}

const desired = (c) => c.mark - c.queue.total;
const isClosing = (s) => s.closeRequest !== undefined || s.closing !== undefined;

function updateBackpressure(s, value) {
  if (s.writer && value !== s.backpressure) {
    if (value) s.writer.ready = deferred();
    else s.writer.ready.resolve();
  }
  s.backpressure = value;
}

function abort(s, reason) {
  if (s.state === 'closed' || s.state === 'errored') return Promise.resolve();
  s.controller.abortion.abort(reason);
  if (s.state === 'closed' || s.state === 'errored') return Promise.resolve();
  if (s.pendingAbort) return s.pendingAbort.promise;
  const wasErroring = s.state === 'erroring';
  s.pendingAbort = Object.assign(Promise.withResolvers(), { reason: wasErroring ? undefined : reason, wasErroring });
  const { promise } = s.pendingAbort;
  if (!wasErroring) startErroring(s, reason);
  return promise;
}

function close(s) {
  if (s.state === 'closed' || s.state === 'errored') return Promise.reject(invalidState('WritableStream is closed'));
  s.closeRequest = Promise.withResolvers();
  const { promise } = s.closeRequest;
  if (s.writer && s.backpressure && s.state === 'writable') s.writer.ready.resolve();
  s.controller.queue.push(CLOSE, 0);
  advance(s.controller);
  return promise;
}

const fail = (c, error) => startErroring(c.stream, error);
const dealWithRejection = (s, error) => (s.state === 'writable' ? startErroring(s, error) : finishErroring(s));

function startErroring(s, reason) {
  s.state = 'erroring';
  s.error = reason;
  if (s.writer) rejectReady(s.writer, reason);
  if (!s.writing && !s.closing && s.controller.started) finishErroring(s);
}

function rejectReady(w, error) {
  w.ready.reject(error);
  // A promise that was fulfilled is replaced.
  w.ready = deferred();
  w.ready.reject(error);
}

function finishErroring(s) {
  s.state = 'errored';
  s.controller.queue.clear();
  for (const request of s.writes) request.reject(s.error);
  s.writes = [];
  const { pendingAbort } = s;
  s.pendingAbort = undefined;
  if (!pendingAbort) return rejectClosed(s);
  if (pendingAbort.wasErroring) {
    pendingAbort.reject(s.error);
    return rejectClosed(s);
  }
  s.controller.abort(pendingAbort.reason).then(() => {
    pendingAbort.resolve();
    rejectClosed(s);
  }, (error) => {
    pendingAbort.reject(error);
    rejectClosed(s);
  });
}

function rejectClosed(s) {
  s.closeRequest?.reject(s.error);
  s.closeRequest = undefined;
  s.writer?.closed.reject(s.error);
}

function finishClose(s, error, isError) {
  s.closing[isError ? 'reject' : 'resolve'](error);
  s.closing = undefined;
  if (isError) {
    s.pendingAbort?.reject(error);
    s.pendingAbort = undefined;
    dealWithRejection(s, error);
    return;
  }
  if (s.state === 'erroring') {
    s.error = undefined;
    s.pendingAbort?.resolve();
    s.pendingAbort = undefined;
  }
  s.state = 'closed';
  s.writer?.closed.resolve();
}

function advance(c) {
  const s = c.stream;
  if (!c.started || s.writing) return;
  if (s.state === 'erroring') {
    finishErroring(s);
    return;
  }
  if (c.queue.list.length === 0) return;
  const { value } = c.queue.list[0];
  if (value === CLOSE) {
    s.closing = s.closeRequest;
    s.closeRequest = undefined;
    c.queue.shift();
    c.close().then(() => finishClose(s), (error) => finishClose(s, error, true));
    return;
  }
  s.writing = s.writes.shift();
  c.write(value, c.controller).then(() => {
    s.writing.resolve();
    s.writing = undefined;
    c.queue.shift();
    if (!isClosing(s) && s.state === 'writable') updateBackpressure(s, desired(c) <= 0);
    advance(c);
  }, (error) => {
    s.writing.reject(error);
    s.writing = undefined;
    dealWithRejection(s, error);
  });
}

function write(s, chunk) {
  const c = s.controller;
  let size = 1;
  try {
    size = c.sizeOf(chunk);
  } catch (error) {
    if (s.state === 'writable') fail(c, error);
  }
  if (s.state === 'errored') return Promise.reject(s.error);
  if (isClosing(s) || s.state === 'closed') return Promise.reject(invalidState('WritableStream is closed'));
  if (s.state === 'erroring') return Promise.reject(s.error);
  const request = Promise.withResolvers();
  s.writes.push(request);
  try {
    c.queue.push(chunk, size);
    if (!isClosing(s) && s.state === 'writable') updateBackpressure(s, desired(c) <= 0);
    advance(c);
  } catch (error) {
    if (s.state === 'writable') fail(c, error);
  }
  return request.promise;
}

class WritableStreamDefaultWriter {
  constructor(stream) {
    const s = states.get(stream);
    if (s?.name !== 'WritableStream') throw new codes.ERR_INVALID_ARG_TYPE('stream', 'WritableStream', stream);
    if (s.writer) throw invalidState('WritableStream is locked');
    const w = { name: 'WritableStreamDefaultWriter', stream: s, ready: deferred(), closed: deferred() };
    states.set(this, w);
    s.writer = w;
    if (s.state === 'errored' || s.state === 'erroring') w.ready.reject(s.error);
    else if (s.state === 'closed' || isClosing(s) || !s.backpressure) w.ready.resolve();
    if (s.state === 'closed') w.closed.resolve();
    else if (s.state === 'errored') w.closed.reject(s.error);
  }

  get closed() { return rejectWrong(this, 'WritableStreamDefaultWriter', (w) => w.closed.promise); }
  get ready() { return rejectWrong(this, 'WritableStreamDefaultWriter', (w) => w.ready.promise); }

  get desiredSize() {
    const { stream: s } = stateOf(this, 'WritableStreamDefaultWriter');
    if (!s) throw invalidState('Writer is not bound to a WritableStream');
    if (s.state === 'errored' || s.state === 'erroring') return null;
    return s.state === 'closed' ? 0 : desired(s.controller);
  }

  abort(reason) { return this.#call((s) => abort(s, reason)); }
  write(chunk) { return this.#call((s) => write(s, chunk)); }
  close() { return this.#call((s) => (isClosing(s) ? Promise.reject(invalidState('Failure to close WritableStream')) : close(s))); }

  #call(work) {
    return rejectWrong(this, 'WritableStreamDefaultWriter', (w) => {
      if (!w.stream) throw invalidState('Writer is not bound to a WritableStream');
      return work(w.stream);
    });
  }

  releaseLock() {
    const w = stateOf(this, 'WritableStreamDefaultWriter');
    if (!w.stream) return;
    const error = invalidState('Writer has been released');
    rejectReady(w, error);
    w.closed.reject(error);
    w.closed = deferred();
    w.closed.reject(error);
    w.stream.writer = undefined;
    w.stream = undefined;
  }
}
define(WritableStreamDefaultWriter, ['closed', 'desiredSize', 'ready', 'abort', 'close', 'releaseLock', 'write']);

// Closes, or reports the error that the stream has: for pipes.
function closeOrFail(s) {
  if (isClosing(s) || s.state === 'closed') return Promise.resolve();
  return s.state === 'errored' ? Promise.reject(s.error) : close(s);
}

module.exports = { WritableStream, WritableStreamDefaultController, WritableStreamDefaultWriter, abort, closeOrFail, fail, isClosing, quiet, setUp, startErroring, write };
