// The reading side of a stream, as a machine.
//
// A source is asked (_read) and answers (push); what it gives waits in a queue until it is taken. Three
// things are told apart: how chunks leave (`flow`), how far the end has come (`tail`), and whether the
// program has held the stream by hand (`hold`). Nothing calls the program from inside a call of its own:
// such steps wait for the next tick, and in which tick something happens is part of the contract.

const { codes } = require('internal/errors');
const { Buffer } = require('buffer');
const { fail } = require('internal/streams/life');
const { ChunkQueue } = require('internal/streams/queue');
const { SideState, asBuffer, expose, reached } = require('internal/streams/side');

// UNDECIDED until somebody listens or pauses.
const [UNDECIDED, FLOWING, STOPPED] = [0, 1, 2];
const [OPEN, ENDED, TOLD] = [0, 1, 2];
const [NEVER, HELD, RELEASED] = [0, 1, 2];

// read(n) can raise the mark up to here.
const LARGEST_MARK = 2 ** 30;

class ReadableState extends SideState {
  #stream;

  constructor(options, stream, isDuplex) {
    super(options, isDuplex ? 'readable' : null, null);
    this.#stream = stream;
    this.queue = new ChunkQueue(this.objectMode);
    this.flow = UNDECIDED;
    this.tail = OPEN;
    this.hold = NEVER;
    // _read has been called and nothing has come yet.
    this.reading = false;
    // The next chunk is worth a 'readable'; one has been announced and not been heeded.
    this.needReadable = false;
    this.emittedReadable = false;
    this.readableListening = false;
    // Steps waiting for their tick.
    this.resumeScheduled = false;
    this.readingMore = false;
    this.dataEmitted = false;
    this.pipes = [];
    // Destinations that are full, a Set or null; and whether there has been more than one. A chunk that
    // goes out sends it to all of them, and they will have to say it again.
    this.full = null;
    this.branches = false;
    this.decoder = null;
    this.encoding = null;
    if (options?.encoding) {
      this.decoder = decoderFor(options.encoding);
      this.encoding = options.encoding;
    }
  }

  get wantsMore() {
    if (this.tail !== OPEN) return false;
    const { size } = this.queue;
    return size === 0 || size < this.highWaterMark;
  }

  // --- from the source ---

  // Takes what was pushed or unshifted; says whether there is room for more.
  accept(given, encoding, toFront) {
    if (given === null) {
      this.reading = false;
      this.#noMore();
      return false;
    }
    let chunk = given;
    let isText = Boolean(encoding);
    if (!this.objectMode) {
      if (typeof given === 'string') {
        encoding ||= this.defaultEncoding;
        isText = this.encoding === encoding;
        if (!isText) {
          chunk = Buffer.from(given, encoding);
          if (toFront && this.encoding) chunk = chunk.toString(this.encoding);
        }
      } else if (given instanceof Buffer) {
        isText = false;
      } else if (ArrayBuffer.isView(given)) {
        chunk = asBuffer(given);
        isText = false;
      } else if (given !== undefined) {
        const wanted = ['string', 'Buffer', 'TypedArray', 'DataView'];
        fail(this.#stream, new codes.ERR_INVALID_ARG_TYPE('chunk', wanted, given));
        return false;
      }
      if (!(chunk?.length > 0)) return this.#acceptNothing(toFront);
    }
    return toFront ? this.#putBack(chunk) : this.#putLast(chunk, isText);
  }

  #acceptNothing(toFront) {
    if (!toFront) {
      this.reading = false;
      this.fillLater();
    }
    return this.wantsMore;
  }

  #putBack(chunk) {
    if (this.tail === TOLD) fail(this.#stream, new codes.ERR_STREAM_UNSHIFT_AFTER_END_EVENT());
    else if (!this.life.sound) return false;
    else this.#store(chunk, true);
    return this.wantsMore;
  }

  #putLast(chunk, isText) {
    if (this.tail !== OPEN) {
      fail(this.#stream, new codes.ERR_STREAM_PUSH_AFTER_EOF());
      return false;
    }
    if (!this.life.sound) return false;
    this.reading = false;
    if (this.decoder && !isText) {
      chunk = this.decoder.write(chunk);
      // Half a character is nothing yet.
      if (!this.objectMode && chunk.length === 0) return this.#acceptNothing(false);
    }
    this.#store(chunk, false);
    return this.wantsMore;
  }

  #store(chunk, toFront) {
    const stream = this.#stream;
    const passesThrough = this.flow === FLOWING && this.queue.size === 0 && !this.sync;
    if (passesThrough && stream.listenerCount('data') > 0) {
      this.full = null;
      this.dataEmitted = true;
      stream.emit('data', chunk);
    } else {
      if (toFront) this.queue.prepend(chunk);
      else this.queue.append(chunk);
      if (this.needReadable) this.announce();
    }
    this.fillLater();
  }

  #noMore() {
    if (this.tail !== OPEN) return;
    const rest = this.decoder?.end();
    if (rest?.length) this.queue.append(rest);
    this.tail = ENDED;
    if (this.sync) {
      this.announce();
      return;
    }
    // Not from inside _read: the listeners can be told at once.
    this.needReadable = false;
    this.emittedReadable = true;
    this.#announceNow();
  }

  // --- to the reader ---

  // What read(asked) gives; NaN asks for whatever there is.
  give(asked) {
    if (asked > this.highWaterMark) this.highWaterMark = raisedMark(asked);
    if (asked !== 0) this.emittedReadable = false;
    else if (this.needReadable && this.#nothingToFetch()) return null;

    let amount = this.#available(asked);
    if (amount === 0 && this.tail !== OPEN) {
      if (this.queue.size === 0) this.conclude();
      return null;
    }
    if (this.#shouldAsk(amount)) {
      this.#ask();
      // The source may have answered already.
      if (!this.reading) amount = this.#available(asked);
    }
    const chunk = amount > 0 ? this.queue.take(amount) : null;
    this.#afterGiving(chunk, chunk === null ? asked !== 0 : asked !== amount);
    return chunk;
  }

  // read(0) with enough in the queue, or with the end in it, only repeats the announcement.
  #nothingToFetch() {
    const { size } = this.queue;
    const ended = this.tail !== OPEN;
    if (!ended && size < Math.max(this.highWaterMark, 1)) return false;
    if (ended && size === 0) this.conclude();
    else this.announce();
    return true;
  }

  #available(asked) {
    const { size } = this.queue;
    const ended = this.tail !== OPEN;
    if (asked <= 0 || (ended && size === 0)) return 0;
    if (this.objectMode) return 1;
    if (asked <= size) return asked;
    if (asked > size) return ended ? size : 0;
    // NaN: chunk by chunk while flowing, all at once otherwise.
    return this.flow === FLOWING && size > 0 ? this.queue.front.length : size;
  }

  #shouldAsk(amount) {
    const { life } = this;
    if (this.tail !== OPEN || this.reading || !life.ready || !life.sound) return false;
    const { size } = this.queue;
    return this.needReadable || size === 0 || size - amount < this.highWaterMark;
  }

  #ask() {
    this.reading = true;
    this.sync = true;
    if (this.queue.size === 0) this.needReadable = true;
    try {
      this.#stream._read(this.highWaterMark);
    } catch (err) {
      fail(this.#stream, err);
    }
    this.sync = false;
  }

  #afterGiving(chunk, fellShort) {
    const { size } = this.queue;
    if (chunk !== null) this.full = null;
    else if (size <= this.highWaterMark) this.needReadable = true;
    if (size === 0) {
      if (this.tail === OPEN) this.needReadable = true;
      else if (fellShort) this.conclude();
    }
    if (chunk === null || this.life.failureTold || this.life.gone) return;
    this.dataEmitted = true;
    this.#stream.emit('data', chunk);
  }

  announce() {
    this.needReadable = false;
    if (this.emittedReadable) return;
    this.emittedReadable = true;
    process.nextTick(() => this.#announceNow());
  }

  #announceNow() {
    if (this.life.sound && (this.queue.size > 0 || this.tail !== OPEN)) {
      this.#stream.emit('readable');
      this.emittedReadable = false;
    }
    const idle = this.flow !== FLOWING && this.tail === OPEN;
    if (idle && this.queue.size <= this.highWaterMark) this.needReadable = true;
    this.#pour();
  }

  #pour() {
    const stream = this.#stream;
    while (this.flow === FLOWING && stream.read() !== null);
  }

  // Fills the queue up to the mark, a tick later: a source that answers at once must not recurse.
  fillLater() {
    if (this.readingMore || !this.life.ready) return;
    this.readingMore = true;
    process.nextTick(() => this.#fill());
  }

  #fill() {
    let before = -1;
    while (before !== this.queue.size && !this.reading && this.wantsFilling) {
      before = this.queue.size;
      this.#stream.read(0);
    }
    this.readingMore = false;
  }

  get wantsFilling() {
    if (this.tail !== OPEN) return false;
    const { size } = this.queue;
    return size < this.highWaterMark || (size === 0 && this.flow === FLOWING);
  }

  // --- listeners and modes ---

  listenedTo(event) {
    if (event === 'data') {
      this.readableListening = this.#stream.listenerCount('readable') > 0;
      if (this.flow !== STOPPED) this.#stream.resume();
    } else if (event === 'readable' && this.tail !== TOLD && !this.readableListening) {
      this.readableListening = true;
      this.needReadable = true;
      this.emittedReadable = false;
      this.flow = STOPPED;
      if (this.queue.size > 0) this.announce();
      else if (!this.reading) process.nextTick(() => this.#stream.read(0));
    }
  }

  // A tick later, for another listener may be about to replace the one that has gone.
  listenerGone(event) {
    if (event === 'readable') process.nextTick(() => this.#reconsider());
  }

  #reconsider() {
    const stream = this.#stream;
    this.readableListening = stream.listenerCount('readable') > 0;
    if (this.resumeScheduled && this.hold === RELEASED) this.flow = FLOWING;
    else if (stream.listenerCount('data') > 0) stream.resume();
    else if (!this.readableListening) this.flow = UNDECIDED;
  }

  release() {
    this.hold = RELEASED;
    if (this.flow === FLOWING) return;
    // While somebody listens to 'readable', taking chunks is that listener's business.
    this.flow = this.readableListening ? STOPPED : FLOWING;
    if (this.resumeScheduled) return;
    this.resumeScheduled = true;
    process.nextTick(() => this.#resume());
  }

  #resume() {
    const stream = this.#stream;
    if (!this.reading) stream.read(0);
    this.resumeScheduled = false;
    stream.emit('resume');
    this.#pour();
    if (this.flow === FLOWING && !this.reading) stream.read(0);
  }

  stop() {
    if (this.flow !== STOPPED) {
      this.flow = STOPPED;
      this.#stream.emit('pause');
    }
    this.hold = HELD;
  }

  get held() {
    return this.hold === HELD || this.flow === STOPPED;
  }

  decodeWith(encoding) {
    this.decoder = decoderFor(encoding);
    this.encoding = this.decoder.encoding;
    this.queue.becomeText(this.decoder);
  }

  // --- the end ---

  // Everything has been taken: say so a tick later.
  conclude() {
    if (this.tail === TOLD) return;
    this.tail = ENDED;
    process.nextTick(() => this.#tellEnd());
  }

  #tellEnd() {
    if (this.life.failure || this.life.gone || this.tail === TOLD || this.queue.size > 0) return;
    const stream = this.#stream;
    this.tail = TOLD;
    stream.emit('end');
    if (stream.writable && stream.allowHalfOpen === false) {
      process.nextTick(() => {
        if (stream.writable && !stream.writableEnded && !stream.destroyed) stream.end();
      });
    } else if (this.autoDestroy && (stream._writableState?.allowsDestruction ?? true)) {
      stream.destroy();
    }
  }

  // What stream.readable and stream.readableAborted say.
  get usable() {
    return this.readable !== false && !this.life.over && !this.life.failureTold && this.tail !== TOLD;
  }

  get aborted() {
    return this.readable !== false && !this.life.sound && this.tail !== TOLD;
  }

  // For the other side of a duplex stream: nothing is left to be read.
  get allowsDestruction() {
    return this.autoDestroy && (this.tail === TOLD || this.readable === false);
  }

  switchOff() {
    this.readable = false;
    this.tail = TOLD;
  }

  startAgain() {
    this.reading = false;
    this.tail = this.readable === false ? TOLD : OPEN;
  }
}

const FLOWING_AS = [null, true, false];

expose(ReadableState.prototype, {
  ended: reached('tail', ENDED),
  endEmitted: reached('tail', TOLD),
  flowing: [
    (state) => FLOWING_AS[state.flow],
    (state, value) => {
      state.flow = Math.max(0, FLOWING_AS.indexOf(value ?? null));
    },
  ],
  paused: [
    (state) => state.hold !== RELEASED,
    (state, is) => {
      state.hold = is ? HELD : RELEASED;
    },
  ],
  length: [
    (state) => state.queue.size,
    (state, size) => {
      state.queue.size = size;
    },
  ],
});

Object.defineProperties(ReadableState.prototype, {
  buffer: { get: readOnly((state) => state.queue.compacted()) },
  pipesCount: { get: readOnly((state) => state.pipes.length) },
  awaitDrainWriters: {
    get: readOnly((state) => {
      const full = state.full ?? new Set();
      return state.branches ? full : [...full][0] ?? null;
    }),
  },
});

function readOnly(read) {
  return function () {
    return read(this);
  };
}

function decoderFor(encoding) {
  const { StringDecoder } = require('string_decoder');
  return new StringDecoder(encoding);
}

function raisedMark(wanted) {
  if (wanted > LARGEST_MARK) throw new codes.ERR_OUT_OF_RANGE('size', '<= 1GiB', wanted);
  return 2 ** Math.ceil(Math.log2(wanted));
}

module.exports = { ReadableState };
