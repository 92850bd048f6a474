// stream.finished: calls back once, when a stream has ended, failed or closed.
const { abortError, onAbort } = require('internal/abort');
const { codes } = require('internal/errors');
const { validateAbortSignal, validateBoolean, validateFunction, validateObject } = require('internal/validators');
const { validateStream } = require('internal/streams/add_abort_signal');
const types = require('internal/streams/types');
const { isClosed, isReadable, isSideEnded, isWritable, sideError, willEmitClose } = require('internal/streams/utils');
const OTHER = { readable: 'writable', writable: 'readable' };
const isOpen = { readable: isReadable, writable: isWritable };

class FinishedWatcher {
  #stream;
  #callback;
  #settled = false;
  // The listeners that detach() removes, as [emitter, event, listener].
  #listeners = [];
  #releaseSignal = null;

  // `wanted` are the sides that must end, and `ended` those that have ended.
  constructor(stream, callback, wanted, ended, awaitsClose) {
    this.#stream = stream;
    this.#callback = callback;
    this.wanted = wanted;
    this.ended = ended;
    this.awaitsClose = awaitsClose;
  }

  start(options) {
    const stream = this.#stream;
    this.closed = isClosed(stream);
    const closes = () => this.onClose();
    // No event is expected, except for an error.
    const isDone = this.closed || this.#isFinishedAlready();
    if (isDone) {
      if (options.error !== false) this.#listen(stream, 'error', () => {});
      process.nextTick(() => (this.closed ? this.onClose() : this.#onFinishedAlready()));
      if (options.signal && !this.closed) this.#watchSignal(options.signal);
      return;
    }
    this.#listenToRequest();
    if (!this.awaitsClose && typeof stream.aborted === 'boolean') this.#listen(stream, 'aborted', closes);
    this.#listen(stream, 'end', () => this.sideEnded('readable'));
    this.#listen(stream, 'finish', () => this.sideEnded('writable'));
    if (options.error !== false) this.#listen(stream, 'error', (err) => this.settle(err));
    this.#listen(stream, 'close', closes);
    if (options.signal) this.#watchSignal(options.signal);
  }

  // Client requests and old-style writable streams emit other events than 'finish'.
  #listenToRequest() {
    const stream = this.#stream;
    const sent = () => this.sideEnded('writable');
    if (types.isClientRequest(stream)) {
      this.#listen(stream, 'complete', sent);
      if (!this.awaitsClose) this.#listen(stream, 'abort', () => this.onClose());
      const onRequest = () => this.#listen(stream.req, 'finish', sent);
      if (stream.req) onRequest();
      else this.#listen(stream, 'request', onRequest);
    } else if (this.wanted.writable && !stream._writableState) {
      const sentUnlessWritable = () => { if (!stream.writable) sent(); };
      this.#listen(stream, 'end', sentUnlessWritable);
      this.#listen(stream, 'close', sentUnlessWritable);
    }
  }

  // No further event is expected.
  #isFinishedAlready() {
    const stream = this.#stream;
    if (stream._writableState?.errorEmitted || stream._readableState?.errorEmitted) return !this.awaitsClose;
    if (this.#onlyOtherEnded('readable') || this.#onlyOtherEnded('writable')) return true;
    return Boolean(stream._readableState && stream.req && stream.aborted);
  }

  // `side` need not end, and the other side has ended.
  #onlyOtherEnded(side) {
    const stream = this.#stream;
    const other = OTHER[side];
    if (this.wanted[side] || (this.awaitsClose && !isOpen[side](stream))) return false;
    if (other === 'writable' && stream._writableState?.pendingcb > 0) return false;
    return this.ended[other] || isOpen[other](stream) === false;
  }

  #watchSignal(signal) {
    const abort = () => {
      if (this.#settled) return;
      this.detach();
      this.#call(abortError(signal));
    };
    if (signal.aborted) process.nextTick(abort);
    else this.#releaseSignal = onAbort(signal, abort);
  }

  sideEnded(side) {
    const other = OTHER[side];
    this.ended[side] = true;
    if (this.#stream.destroyed) this.awaitsClose = false;
    if (this.awaitsClose && (this.wanted[other] || !this.#stream[other])) return;
    if (!this.wanted[other] || this.ended[other]) this.settle();
  }

  onClose() {
    this.closed = true;
    if (this.#settleWithError()) return;
    const stream = this.#stream;
    const isPremature = (side) => this.wanted[side] && !this.ended[side] && !isSideEnded(stream, side, true);
    if ((isPremature('readable') && types.isPausableReadable(stream)) || isPremature('writable')) {
      this.settle(new codes.ERR_STREAM_PREMATURE_CLOSE());
    } else {
      this.settle();
    }
  }

  #onFinishedAlready() {
    this.closed = true;
    if (!this.#settleWithError()) this.settle();
  }

  #settleWithError() {
    const err = sideError(this.#stream, 'writable') || sideError(this.#stream, 'readable');
    // HTTP messages have `true` here, not the error.
    if (!err || typeof err === 'boolean') return false;
    this.settle(err);
    return true;
  }

  settle(err) {
    if (this.#settled) return;
    this.#settled = true;
    this.#releaseSignal?.();
    this.#call(err);
  }

  #call(err) {
    if (err === undefined) this.#callback.call(this.#stream);
    else this.#callback.call(this.#stream, err);
  }

  #listen(emitter, event, listener) {
    this.#listeners.push([emitter, event, listener]);
    emitter.on(event, listener);
  }

  detach() {
    this.#settled = true;
    this.#releaseSignal?.();
    for (const [emitter, event, listener] of this.#listeners.splice(0)) emitter.removeListener(event, listener);
  }
}

function finished(stream, options, callback) {
  if (arguments.length === 2) [options, callback] = [{}, options];
  else if (options == null) options = {};
  else validateObject(options, 'options');
  validateFunction(callback, 'callback');
  validateAbortSignal(options.signal, 'options.signal');
  validateStream(stream);
  const has = { readable: types.isReadableNodeStream(stream), writable: types.isWritableNodeStream(stream) };
  const wanted = { readable: options.readable ?? has.readable, writable: options.writable ?? has.writable };
  const ended = { readable: isSideEnded(stream, 'readable', true), writable: isSideEnded(stream, 'writable', true) };
  // A stream that will emit 'close' is finished only then, if all of its sides must end.
  const awaitsClose = willEmitClose(stream) && has.readable === wanted.readable && has.writable === wanted.writable;
  const watcher = new FinishedWatcher(stream, callback, wanted, ended, awaitsClose);
  watcher.start(options);
  return () => watcher.detach();
}

// The promise variant, for stream/promises.
function finishedPromise(stream, options) {
  const cleanup = options?.cleanup ?? false;
  validateBoolean(cleanup, 'cleanup');
  return new Promise((resolve, reject) => {
    const detach = finished(stream, options ?? {}, (err) => {
      if (cleanup) detach();
      if (err) reject(err);
      else resolve();
    });
  });
}

module.exports = { FinishedWatcher, finished, finishedPromise };
