// The state machine of the readable side.
//
// _read requests chunks, push() adds them to the queue, and read() removes them. `flowMode` is the
// current mode, `explicitMode` is what pause() or resume() was called last, and `endState` is how far the
// end of the stream has been processed. Events are not emitted from inside a call of user code: they are
// deferred to the next tick. Programs depend on the tick in which an event is emitted.
const { codes } = require('internal/errors');
const { Buffer } = require('buffer');
const { errorOrDestroy } = require('internal/streams/destroy');
const { ChunkQueue } = require('internal/streams/queue');
const { StreamState, asBuffer, defineAccessors, hasReached } = require('internal/streams/state');

// UNSET until a listener is added, or pause() or resume() is called.
const FlowMode = Object.freeze({ UNSET: 0, FLOWING: 1, PAUSED: 2 });
const EndState = Object.freeze({ OPEN: 0, ENDED: 1, END_EMITTED: 2 });

// read(n) can raise the mark up to this.
const MAX_HIGH_WATER_MARK = 2 ** 30;

class ReadableState extends StreamState {
  #stream;

  constructor(options, stream, isDuplex) {
    super(options, isDuplex ? 'readable' : null, null);
    this.#stream = stream;
    this.queue = new ChunkQueue(this.objectMode);
    this.pipes = [];
    if (options?.encoding) {
      this.decoder = createDecoder(options.encoding);
      this.encoding = options.encoding;
    }
  }

  get hasRoom() {
    if (this.endState !== EndState.OPEN) return false;
    const { size } = this.queue;
    return size === 0 || size < this.highWaterMark;
  }

  // --- push and unshift ---

  // Returns whether there is room for more.
  addChunk(value, encoding, toFront) {
    if (value === null) {
      this.reading = false;
      this.#onEof();
      return false;
    }
    let chunk = value;
    let isText = Boolean(encoding);
    if (!this.objectMode) {
      if (typeof value === 'string') {
        encoding ||= this.defaultEncoding;
        isText = this.encoding === encoding;
        if (!isText) {
          chunk = Buffer.from(value, encoding);
          if (toFront && this.encoding) chunk = chunk.toString(this.encoding);
        }
      } else if (value instanceof Buffer) {
        isText = false;
      } else if (ArrayBuffer.isView(value)) {
        chunk = asBuffer(value);
        isText = false;
      } else if (value !== undefined) {
        const expected = ['string', 'Buffer', 'TypedArray', 'DataView'];
        errorOrDestroy(this.#stream, new codes.ERR_INVALID_ARG_TYPE('chunk', expected, value));
        return false;
      }
      if (!(chunk?.length > 0)) return this.#addEmptyChunk(toFront);
    }
    return toFront ? this.#unshift(chunk) : this.#push(chunk, isText);
  }

  #addEmptyChunk(toFront) {
    if (!toFront) {
      this.reading = false;
      this.maybeReadMore();
    }
    return this.hasRoom;
  }

  // push() for a Buffer that is not empty.
  pushBuffer(chunk) {
    const stream = this.#stream;
    if (this.flowMode !== FlowMode.FLOWING || this.queue.size > 0 || this.sync || this.endState !== EndState.OPEN ||
        !this.lifecycle.active || this.decoder !== null || stream._events.data === undefined) return stream.push(chunk);
    this.reading = false;
    this.awaitDrain = null;
    this.dataEmitted = true;
    stream.emit('data', chunk);
    this.maybeReadMore();
    return this.hasRoom;
  }

  #unshift(chunk) {
    if (this.endState === EndState.END_EMITTED) {
      errorOrDestroy(this.#stream, new codes.ERR_STREAM_UNSHIFT_AFTER_END_EVENT());
      return this.hasRoom;
    }
    if (!this.lifecycle.active) return false;
    this.#bufferChunk(chunk, true);
    return this.hasRoom;
  }

  #push(chunk, isText) {
    if (this.endState !== EndState.OPEN) {
      errorOrDestroy(this.#stream, new codes.ERR_STREAM_PUSH_AFTER_EOF());
      return false;
    }
    if (!this.lifecycle.active) return false;
    this.reading = false;
    if (this.decoder && !isText) {
      chunk = this.decoder.write(chunk);
      // The decoder has only a part of a character so far.
      if (!this.objectMode && chunk.length === 0) return this.#addEmptyChunk(false);
    }
    this.#bufferChunk(chunk, false);
    return this.hasRoom;
  }

  #bufferChunk(chunk, toFront) {
    const stream = this.#stream;
    const canEmitNow = this.flowMode === FlowMode.FLOWING && this.queue.size === 0 && !this.sync;
    if (canEmitNow && stream.listenerCount('data') > 0) {
      this.awaitDrain = null;
      this.dataEmitted = true;
      stream.emit('data', chunk);
    } else {
      if (toFront) this.queue.prepend(chunk);
      else this.queue.append(chunk);
      if (this.needReadable) this.scheduleReadable();
    }
    this.maybeReadMore();
  }

  #onEof() {
    if (this.endState !== EndState.OPEN) return;
    const rest = this.decoder?.end();
    if (rest?.length) this.queue.append(rest);
    this.endState = EndState.ENDED;
    if (this.sync) {
      this.scheduleReadable();
      return;
    }
    // push(null) was not called from _read, so 'readable' can be emitted now.
    this.needReadable = false;
    this.emittedReadable = true;
    this.emitReadable();
  }

  // --- read ---

  // read(n). NaN means whatever is buffered.
  read(n) {
    if (n > this.highWaterMark) this.highWaterMark = nextHighWaterMark(n);
    if (n !== 0) this.emittedReadable = false;
    else if (this.needReadable && this.#hasEnough()) return null;

    let amount = this.#howMuchToRead(n);
    if (amount === 0 && this.endState !== EndState.OPEN) {
      if (this.queue.size === 0) this.endReadable();
      return null;
    }
    if (this.#shouldCallRead(amount)) {
      this.#callRead();
      // _read may have called push() synchronously.
      if (!this.reading) amount = this.#howMuchToRead(n);
    }
    const chunk = amount > 0 ? this.queue.take(amount, this.decoder !== null) : null;
    this.#afterRead(chunk, chunk === null ? n !== 0 : n !== amount);
    return chunk;
  }

  // read(0) with a full buffer, or at the end, emits 'readable' again and does not call _read.
  #hasEnough() {
    const { size } = this.queue;
    const ended = this.endState !== EndState.OPEN;
    if (!ended && size < Math.max(this.highWaterMark, 1)) return false;
    if (ended && size === 0) this.endReadable();
    else this.scheduleReadable();
    return true;
  }

  #howMuchToRead(n) {
    const { size } = this.queue;
    const ended = this.endState !== EndState.OPEN;
    if (n <= 0 || (ended && size === 0)) return 0;
    if (this.objectMode) return 1;
    if (n <= size) return n;
    if (n > size) return ended ? size : 0;
    // NaN: one chunk in flowing mode, otherwise the whole buffer.
    return this.flowMode === FlowMode.FLOWING && size > 0 ? this.queue.front.length : size;
  }

  #shouldCallRead(amount) {
    const { lifecycle } = this;
    if (!lifecycle.constructed || !lifecycle.active) return false;
    if (this.endState !== EndState.OPEN || this.reading) return false;
    const { size } = this.queue;
    return this.needReadable || size === 0 || size - amount < this.highWaterMark;
  }

  #callRead() {
    this.reading = true;
    this.sync = true;
    if (this.queue.size === 0) this.needReadable = true;
    try {
      this.#stream._read(this.highWaterMark);
    } catch (err) {
      errorOrDestroy(this.#stream, err);
    }
    this.sync = false;
  }

  #afterRead(chunk, isPartial) {
    const { size } = this.queue;
    if (chunk !== null) this.awaitDrain = null;
    else if (size <= this.highWaterMark) this.needReadable = true;
    if (size === 0) {
      if (this.endState === EndState.OPEN) this.needReadable = true;
      else if (isPartial) this.endReadable();
    }
    if (chunk === null || this.lifecycle.errorEmitted || this.lifecycle.closeEmitted) return;
    this.dataEmitted = true;
    this.#stream.emit('data', chunk);
  }

  scheduleReadable() {
    this.needReadable = false;
    if (this.emittedReadable) return;
    this.emittedReadable = true;
    process.nextTick(() => this.emitReadable());
  }

  emitReadable() {
    if (this.lifecycle.active && (this.queue.size > 0 || this.endState !== EndState.OPEN)) {
      this.#stream.emit('readable');
      this.emittedReadable = false;
    }
    const idle = this.flowMode !== FlowMode.FLOWING && this.endState === EndState.OPEN;
    if (idle && this.queue.size <= this.highWaterMark) this.needReadable = true;
    this.#flow();
  }

  #flow() {
    const stream = this.#stream;
    while (this.flowMode === FlowMode.FLOWING && stream.read() !== null);
  }

  // Schedules reads until the buffer has reached the mark. The tick avoids recursion if _read calls
  // push() synchronously.
  maybeReadMore() {
    if (this.readingMore || !this.lifecycle.constructed) return;
    this.readingMore = true;
    process.nextTick(readMore, this);
  }

  readMore() {
    const { lifecycle, queue } = this;
    let before = -1;
    // Fast path: what read(0) does if nothing is buffered.
    if (queue.size === 0 && !this.reading && this.endState === EndState.OPEN && lifecycle.active &&
        lifecycle.constructed && this.highWaterMark > 0 && this.#stream.read === this.originalRead) {
      before = 0;
      this.#callRead();
      if (queue.size <= this.highWaterMark) this.needReadable = true;
    }
    while (before !== this.queue.size && !this.reading && this.shouldReadMore) {
      before = this.queue.size;
      this.#stream.read(0);
    }
    this.readingMore = false;
  }

  get shouldReadMore() {
    if (this.endState !== EndState.OPEN) return false;
    const { size } = this.queue;
    return size < this.highWaterMark || (size === 0 && this.flowMode === FlowMode.FLOWING);
  }

  // --- listeners and modes ---

  onListenerAdded(event) {
    if (event === 'data') {
      this.readableListening = this.#stream.listenerCount('readable') > 0;
      if (this.flowMode !== FlowMode.PAUSED) this.#stream.resume();
    } else if (event === 'readable' && this.endState !== EndState.END_EMITTED && !this.readableListening) {
      this.readableListening = true;
      this.needReadable = true;
      this.emittedReadable = false;
      this.flowMode = FlowMode.PAUSED;
      if (this.queue.size > 0) this.scheduleReadable();
      else if (!this.reading) process.nextTick(() => this.#stream.read(0));
    }
  }

  // Deferred, because another listener may replace the removed one in the same tick.
  onListenerRemoved(event) { if (event === 'readable') process.nextTick(() => this.#updateReadableListening()); }

  #updateReadableListening() {
    const stream = this.#stream;
    this.readableListening = stream.listenerCount('readable') > 0;
    if (this.resumeScheduled && this.explicitMode === FlowMode.FLOWING) this.flowMode = FlowMode.FLOWING;
    else if (stream.listenerCount('data') > 0) stream.resume();
    else if (!this.readableListening) this.flowMode = FlowMode.UNSET;
  }

  resume() {
    this.explicitMode = FlowMode.FLOWING;
    if (this.flowMode === FlowMode.FLOWING) return;
    // With a 'readable' listener the stream does not flow: the listener calls read().
    this.flowMode = this.readableListening ? FlowMode.PAUSED : FlowMode.FLOWING;
    if (this.resumeScheduled) return;
    this.resumeScheduled = true;
    process.nextTick(resumeNow, this);
  }

  resumeNow() {
    const stream = this.#stream;
    if (!this.reading) stream.read(0);
    this.resumeScheduled = false;
    stream.emit('resume');
    this.flowOn();
  }

  flowOn() {
    this.#flow();
    if (this.flowMode === FlowMode.FLOWING && !this.reading) this.#stream.read(0);
  }

  pause() {
    if (this.flowMode !== FlowMode.PAUSED) {
      this.flowMode = FlowMode.PAUSED;
      this.#stream.emit('pause');
    }
    this.explicitMode = FlowMode.PAUSED;
  }

  get isPaused() { return this.explicitMode === FlowMode.PAUSED || this.flowMode === FlowMode.PAUSED; }

  setEncoding(encoding) {
    this.decoder = createDecoder(encoding);
    this.encoding = this.decoder.encoding;
    this.queue.decode(this.decoder);
  }

  // --- the end ---

  // All chunks have been read: schedules 'end'.
  endReadable() {
    if (this.endState === EndState.END_EMITTED) return;
    this.endState = EndState.ENDED;
    if (this.endScheduled) return;
    this.endScheduled = true;
    process.nextTick(emitEnd, this);
  }

  emitEnd() {
    this.endScheduled = false;
    if (this.lifecycle.errored || this.lifecycle.closeEmitted) return;
    if (this.endState === EndState.END_EMITTED || this.queue.size > 0) return;
    const stream = this.#stream;
    this.endState = EndState.END_EMITTED;
    stream.emit('end');
    if (stream.writable && stream.allowHalfOpen === false) {
      process.nextTick(() => { if (stream.writable && !stream.writableEnded && !stream.destroyed) stream.end(); });
    } else if (this.autoDestroy && (stream._writableState?.mayAutoDestroy ?? true)) {
      stream.destroy();
    }
  }

  // The values of stream.readable and stream.readableAborted.
  get isReadable() {
    const { destroyed, errorEmitted } = this.lifecycle;
    return this.readable !== false && !destroyed && !errorEmitted && this.endState !== EndState.END_EMITTED;
  }

  get aborted() { return this.readable !== false && !this.lifecycle.active && this.endState !== EndState.END_EMITTED; }

  // For the writable side of a duplex stream: nothing is left to read.
  get mayAutoDestroy() { return this.autoDestroy && (this.endState === EndState.END_EMITTED || this.readable === false); }

  disable() {
    this.readable = false;
    this.endState = EndState.END_EMITTED;
  }

  reset() {
    this.reading = false;
    this.endState = this.readable === false ? EndState.END_EMITTED : EndState.OPEN;
  }
}

// Initial values, as in Lifecycle.
Object.assign(ReadableState.prototype, {
  flowMode: FlowMode.UNSET,
  endState: EndState.OPEN,
  explicitMode: FlowMode.UNSET,
  // _read has been called, and push() has not been called since.
  reading: false,
  // The next chunk should emit 'readable'; a 'readable' is scheduled and read() has not been called since.
  needReadable: false,
  emittedReadable: false,
  readableListening: false,
  // Steps that are scheduled for the next tick.
  resumeScheduled: false,
  readingMore: false,
  endScheduled: false,
  dataEmitted: false,
  // The destinations that must emit 'drain' first, a Set or null, and whether there have been several
  // destinations. Emitting a chunk clears the set, because write() will return false again.
  awaitDrain: null,
  multiAwaitDrain: false,
  decoder: null,
  encoding: null,
});

const readMore = (state) => state.readMore();
const resumeNow = (state) => state.resumeNow();
const emitEnd = (state) => state.emitEnd();

// The values of `flowing`, by FlowMode.
const FLOWING_VALUES = [null, true, false];

defineAccessors(ReadableState.prototype, {
  ended: hasReached('endState', EndState.ENDED),
  endEmitted: hasReached('endState', EndState.END_EMITTED),
  flowing: [
    (state) => FLOWING_VALUES[state.flowMode],
    (state, value) => { state.flowMode = Math.max(0, FLOWING_VALUES.indexOf(value ?? null)); },
  ],
  paused: [
    (state) => state.explicitMode !== FlowMode.FLOWING,
    (state, is) => { state.explicitMode = is ? FlowMode.PAUSED : FlowMode.FLOWING; },
  ],
  length: [
    (state) => state.queue.size,
    (state, size) => { state.queue.size = size; },
  ],
});

Object.defineProperties(ReadableState.prototype, {
  buffer: { get: readOnly((state) => state.queue.compact()) },
  pipesCount: { get: readOnly((state) => state.pipes.length) },
  awaitDrainWriters: {
    get: readOnly((state) => {
      const writers = state.awaitDrain ?? new Set();
      return state.multiAwaitDrain ? writers : [...writers][0] ?? null;
    }),
  },
});

function readOnly(read) { return function () { return read(this); }; }

function createDecoder(encoding) {
  const { StringDecoder } = require('string_decoder');
  return new StringDecoder(encoding);
}

function nextHighWaterMark(wanted) {
  if (wanted > MAX_HIGH_WATER_MARK) throw new codes.ERR_OUT_OF_RANGE('size', '<= 1GiB', wanted);
  return 2 ** Math.ceil(Math.log2(wanted));
}

module.exports = { ReadableState };
