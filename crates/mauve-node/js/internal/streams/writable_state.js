// The state machine of the writable side.
//
// write() counts a chunk and passes it to _write. While another write is pending, while the stream is
// corked, or until _construct has finished, it queues the chunk instead. When _write calls back, the next
// chunk is written and the callback of the write runs: in a later tick if _write called back synchronously.
const { codes } = require('internal/errors');
const { Buffer } = require('buffer');
const { errorOrDestroy } = require('internal/streams/destroy');
const { Fifo } = require('internal/streams/queue');
const { StreamState, asBuffer, defineAccessors, hasReached } = require('internal/streams/state');

// ENDING: end() is running. ENDED: it has returned. FINISHED: all chunks are written and 'finish' is due.
const EndState = Object.freeze({ OPEN: 0, ENDING: 1, ENDED: 2, FINISHED: 3 });
// The steps between the last write and 'finish'.
const FinalState = Object.freeze({ NONE: 0, CALLED: 1, PREFINISHED: 2 });

// The callback of a write without a callback.
function noop() {}

class WritableState extends StreamState {
  #stream;

  constructor(options, stream, isDuplex) {
    super(options, isDuplex ? 'writable' : null, stream._readableState);
    this.#stream = stream;
    this.decodeStrings = options?.decodeStrings !== false;
    this.queue = new Fifo();
  }

  // --- write ---

  // Returns whether there is room for more, or the error if the stream cannot be written.
  write(value, encoding, callback) {
    if (value === null) throw new codes.ERR_STREAM_NULL_VALUES();
    const onWritten = typeof callback === 'function' ? callback : noop;
    const chunk = this.objectMode ? value : this.#encodeChunk(value, encoding);
    if (!this.objectMode) encoding = typeof chunk === 'string' ? encoding || this.defaultEncoding : 'buffer';
    const { lifecycle } = this;
    if (this.endState !== EndState.OPEN || lifecycle.destroyed) return this.#rejectWrite(onWritten);

    const size = this.objectMode ? 1 : chunk.length;
    this.pendingcb++;
    this.length += size;
    const mustWait = this.writeCallback || this.corked || lifecycle.errored || !lifecycle.constructed;
    if (mustWait) this.#enqueue(chunk, encoding, onWritten);
    else this.#doWrite(chunk, encoding, onWritten, size);
    // Checked last: a chunk that _write has processed synchronously does not count.
    const { length } = this;
    if (length === 0 || length < this.highWaterMark) return lifecycle.active;
    this.needDrain = true;
    return false;
  }

  // Converts strings to Buffers, unless decodeStrings is false.
  #encodeChunk(value, encoding) {
    if (value instanceof Buffer && !encoding) return value;
    if (encoding && encoding !== 'buffer' && !Buffer.isEncoding(encoding)) throw new codes.ERR_UNKNOWN_ENCODING(encoding);
    if (typeof value === 'string') return this.decodeStrings ? Buffer.from(value, encoding || this.defaultEncoding) : value;
    if (ArrayBuffer.isView(value)) return value instanceof Buffer ? value : asBuffer(value);
    throw new codes.ERR_INVALID_ARG_TYPE('chunk', ['string', 'Buffer', 'TypedArray', 'DataView'], value);
  }

  #rejectWrite(onWritten) {
    const err = this.endState === EndState.OPEN ? destroyedError('write') : new codes.ERR_STREAM_WRITE_AFTER_END();
    process.nextTick(onWritten, err);
    errorOrDestroy(this.#stream, err, true);
    return err;
  }

  #sizeOf(chunk) { return this.objectMode ? 1 : chunk.length; }

  #enqueue(chunk, encoding, callback) {
    this.queue.append({ chunk, encoding, callback });
    if (encoding !== 'buffer') this.allBuffers = false;
    if (callback !== noop) this.allNoop = false;
  }

  #clearQueue() {
    this.queue.clear();
    this.allBuffers = true;
    this.allNoop = true;
  }

  // --- calls of _write and _writev ---

  #doWrite(chunk, encoding, callback, size) {
    this.writeCallback = callback;
    this.writeLength = size;
    this.sync = true;
    this.#stream._write(chunk, encoding, this.#onWrite);
    this.sync = false;
  }

  #beginWrite(callback, size) {
    this.writeCallback = callback;
    this.writeLength = size;
    this.sync = true;
  }

  // A chunk is being written without _write. Returns the callback for its end.
  beginPending(size) {
    this.pendingcb++;
    this.length += size;
    this.#beginWrite(noop, size);
    this.sync = false;
    return this.#onWrite;
  }

  // Writes the queue: with _writev all chunks at once, otherwise until a write does not complete
  // synchronously.
  flush() {
    if (this.corked || this.flushing || this.lifecycle.destroyed || !this.lifecycle.constructed) return;
    const { queue } = this;
    if (queue.count === 0) return;
    this.flushing = true;
    if (queue.count > 1 && this.#stream._writev) {
      this.#writevBuffered(queue.compact());
    } else {
      do this.#writeBuffered(queue.shift());
      while (queue.count > 0 && !this.writeCallback);
      if (queue.count === 0) this.#clearQueue();
    }
    this.flushing = false;
  }

  // Removes all queued chunks and returns them as [chunk, encoding, ...], unless a callback waits for one of
  // them, or one has another encoding than UTF-8 or Latin-1: then returns null. Ends cork().
  takeChunks() {
    const { lifecycle, queue } = this;
    if (this.writeCallback !== null || this.needDrain || this.endState !== EndState.OPEN || !lifecycle.active ||
        !lifecycle.constructed) return null;
    const chunks = [];
    const entries = queue.compact();
    for (let i = 0; i < entries.length; i++) {
      const { chunk, encoding, callback } = entries[i];
      if (callback !== noop) return null;
      if (encoding !== 'utf8' && encoding !== 'latin1' && encoding !== 'buffer') return null;
      chunks.push(chunk, encoding);
    }
    this.pendingcb -= entries.length;
    this.length = 0;
    this.corked = 0;
    this.#clearQueue();
    return chunks;
  }

  // An earlier write may have destroyed the stream; then the write fails.
  #writeBuffered({ chunk, encoding, callback }) {
    const size = this.#sizeOf(chunk);
    if (!this.lifecycle.destroyed) {
      this.#doWrite(chunk, encoding, callback, size);
      return;
    }
    this.#beginWrite(callback, size);
    this.#onWrite(destroyedError('write'));
    this.sync = false;
  }

  #writevBuffered(entries) {
    // From here on they count as one write.
    this.pendingcb -= entries.length - 1;
    const callAll = (err) => { for (const { callback } of entries) callback(err); };
    const chunks = this.allNoop ? entries : entries.slice();
    chunks.allBuffers = this.allBuffers;
    this.#beginWrite(this.allNoop ? noop : callAll, this.length);
    this.#stream._writev(chunks, this.#onWrite);
    this.sync = false;
    this.#clearQueue();
  }

  // --- after a write ---

  // The callback that _write and _writev get.
  #onWrite = (err) => {
    const { writeCallback: callback, sync } = this;
    if (callback === null) {
      errorOrDestroy(this.#stream, new codes.ERR_MULTIPLE_CALLBACK());
      return;
    }
    this.length -= this.writeLength;
    this.writeCallback = null;
    this.writeLength = 0;
    if (err) {
      this.lifecycle.recordError(err);
      if (sync) process.nextTick(() => this.#onWriteError(err, callback));
      else this.#onWriteError(err, callback);
      return;
    }
    if (this.queue.count > 0) this.flush();
    if (sync) this.#scheduleAfterWrite(callback);
    else this.#afterWrite(1, callback);
  };

  #scheduleAfterWrite(callback) {
    if (callback === noop && !this.#noopNeedsTick()) {
      this.pendingcb--;
      if (this.endState !== EndState.OPEN) this.finishMaybe(true);
    } else if (this.afterWriteBatch?.callback === callback) {
      this.afterWriteBatch.count++;
    } else {
      this.afterWriteScheduled = true;
      const batch = { callback, count: 1 };
      if (callback !== noop) this.afterWriteBatch = batch;
      process.nextTick(() => {
        if (callback !== noop) this.afterWriteBatch = null;
        this.#afterWrite(batch.count, callback);
      });
    }
  }

  // Without a callback a tick is only needed if 'drain', 'finish' or an error may follow in it.
  #noopNeedsTick() {
    if (this.afterWriteScheduled) return false;
    return (this.needDrain && this.length === 0) || this.lifecycle.destroyed || this.objectMode;
  }

  #afterWrite(count, callback) {
    this.afterWriteScheduled = false;
    if (this.needDrain && this.length === 0 && this.endState === EndState.OPEN && !this.#stream.destroyed) {
      this.needDrain = false;
      this.#stream.emit('drain');
    }
    for (let left = count; left > 0; left--) {
      this.pendingcb--;
      callback(null);
    }
    if (this.lifecycle.destroyed) this.errorBuffer();
    if (this.endState !== EndState.OPEN) this.finishMaybe(true);
  }

  // Queued writes fail as well, before 'error' is emitted.
  #onWriteError(err, callback) {
    this.pendingcb--;
    callback(err);
    this.errorBuffer();
    errorOrDestroy(this.#stream, err);
  }

  // Calls the callbacks of all queued writes, and of end(), with an error.
  errorBuffer() {
    if (this.writeCallback) return;
    while (this.queue.count > 0) {
      const { chunk, callback } = this.queue.shift();
      this.length -= this.#sizeOf(chunk);
      callback(this.errored ?? destroyedError('write'));
    }
    this.#callEndCallbacks(this.errored ?? destroyedError('end'));
    this.#clearQueue();
  }

  get hasPendingCallbacks() { return this.queue.count > 0 || this.endCallbacks !== null; }

  // --- end ---

  // `writeError` is the error of the chunk that was passed to end(), if it could not be written.
  end(writeError, callback) {
    let err = writeError;
    if (!err && !this.errored && this.endState === EndState.OPEN) {
      this.endState = EndState.ENDING;
      this.finishMaybe(true);
      this.ended = true;
    } else if (!err && this.finished) {
      err = new codes.ERR_STREAM_ALREADY_FINISHED('end');
    } else if (!err && this.lifecycle.destroyed) {
      err = destroyedError('end');
    }
    if (typeof callback !== 'function') return;
    if (err || this.errored) process.nextTick(callback, err || this.errored);
    else if (this.finished) process.nextTick(callback, null);
    else (this.endCallbacks ??= []).push(callback);
  }

  #callEndCallbacks(err) {
    const callbacks = this.endCallbacks;
    this.endCallbacks = null;
    callbacks?.forEach((callback) => callback(err));
  }

  get #needsFinish() {
    const { lifecycle } = this;
    if (this.endState === EndState.OPEN || this.endState === EndState.FINISHED) return false;
    if (!lifecycle.constructed || !lifecycle.active || lifecycle.errorEmitted) return false;
    return this.length === 0 && !this.writeCallback && !this.flushing && this.queue.count === 0;
  }

  finishMaybe(later) {
    if (!this.#needsFinish) return;
    this.#prefinish();
    if (this.pendingcb !== 0) return;
    if (later) {
      this.pendingcb++;
      process.nextTick(() => (this.#needsFinish ? this.#finish() : this.pendingcb--));
    } else if (this.#needsFinish) {
      this.pendingcb++;
      this.#finish();
    }
  }

  #prefinish() {
    if (this.finalState !== FinalState.NONE) return;
    if (typeof this.#stream._final === 'function') this.#callFinal();
    else this.#emitPrefinish();
  }

  #emitPrefinish() {
    this.finalState = FinalState.PREFINISHED;
    this.#stream.emit('prefinish');
  }

  #callFinal() {
    this.finalState = FinalState.CALLED;
    this.pendingcb++;
    let called = false;
    const callback = (err) => {
      const calledBefore = called;
      called = true;
      if (calledBefore) errorOrDestroy(this.#stream, err ?? new codes.ERR_MULTIPLE_CALLBACK());
      else this.#onFinal(err);
    };
    this.sync = true;
    try {
      this.#stream._final(callback);
    } catch (err) {
      callback(err);
    }
    this.sync = false;
  }

  #onFinal(err) {
    this.pendingcb--;
    if (err) {
      this.#callEndCallbacks(err);
      errorOrDestroy(this.#stream, err, this.sync);
    } else if (this.#needsFinish) {
      this.#emitPrefinish();
      // Deferred, because _final may have called back synchronously inside end().
      this.pendingcb++;
      process.nextTick(() => this.#finish());
    }
  }

  #finish() {
    const stream = this.#stream;
    this.pendingcb--;
    this.finished = true;
    this.#callEndCallbacks(null);
    stream.emit('finish');
    if (this.autoDestroy && (stream._readableState?.mayAutoDestroy ?? true)) stream.destroy();
  }

  onConstructed() {
    if (!this.writeCallback) this.flush();
    if (this.endState !== EndState.OPEN) this.finishMaybe(false);
  }

  // --- properties ---

  // For the readable side of a duplex stream: nothing is left to write.
  get mayAutoDestroy() { return this.autoDestroy && (this.finished || this.writable === false); }

  // The values of stream.writable, stream.writableAborted and stream.writableNeedDrain.
  get isWritable() { return this.writable !== false && this.lifecycle.active && this.endState === EndState.OPEN; }
  get aborted() { return this.writable !== false && !this.lifecycle.active && !this.finished; }
  get isDrainNeeded() { return !this.lifecycle.destroyed && this.endState === EndState.OPEN && this.needDrain; }
  get bufferedRequests() { return this.queue.items.slice(this.queue.start); }
  getBuffer() { return this.bufferedRequests; }
  get bufferedRequestCount() { return this.queue.count; }
  get writing() { return this.writeCallback !== null; }

  disable() {
    this.writable = false;
    this.endState = EndState.FINISHED;
  }

  reset() {
    this.finalState = FinalState.NONE;
    this.endState = this.writable === false ? EndState.FINISHED : EndState.OPEN;
  }
}

// Initial values, as in Lifecycle.
Object.assign(WritableState.prototype, {
  length: 0,
  corked: 0,
  needDrain: false,
  endState: EndState.OPEN,
  finalState: FinalState.NONE,
  // The callback and the size of the chunk that _write is processing.
  writeCallback: null,
  writeLength: 0,
  // Callbacks that have not run yet. 'finish' waits for them.
  pendingcb: 0,
  // Callbacks of end(), an array or null.
  endCallbacks: null,
  // Callbacks of synchronous writes wait for the next tick. Consecutive equal callbacks share one tick.
  afterWriteBatch: null,
  afterWriteScheduled: false,
  flushing: false,
  // Whether all queued chunks are Buffers, and whether none has a callback.
  allBuffers: true,
  allNoop: true,
});

defineAccessors(WritableState.prototype, {
  ending: hasReached('endState', EndState.ENDING),
  ended: hasReached('endState', EndState.ENDED),
  finished: hasReached('endState', EndState.FINISHED),
  finalCalled: hasReached('finalState', FinalState.CALLED),
  prefinished: hasReached('finalState', FinalState.PREFINISHED),
});

function destroyedError(what) { return new codes.ERR_STREAM_DESTROYED(what); }

module.exports = { WritableState };
