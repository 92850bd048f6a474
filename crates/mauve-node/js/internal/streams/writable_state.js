// The writing side of a stream, as a machine.
//
// A chunk is counted, then handed to _write, or waits in a queue while another one is under way, while
// the stream is corked, or until it has been constructed. When _write has answered, the next one goes
// out, and the program's callback is called: in a later tick if the answer came at once.

const { codes } = require('internal/errors');
const { Buffer } = require('buffer');
const { fail } = require('internal/streams/life');
const { Fifo } = require('internal/streams/queue');
const { SideState, asBuffer, expose, reached } = require('internal/streams/side');

// ENDING: end() is at work. ENDED: it has returned. FINISHED: everything is written and told.
const [OPEN, ENDING, ENDED, FINISHED] = [0, 1, 2, 3];
// What happens between the last write and 'finish'.
const Coda = Object.freeze({ NONE: 0, FINAL: 1, PREFINISHED: 2 });

// Stands for the callback of a write that has none.
function silent() {}

class WritableState extends SideState {
  #stream;
  #afterEnd = [];
  // Callbacks of answers that came at once, waiting for their tick: those in a row that are the same
  // share one.
  #batch = null;
  #tickPending = false;
  #flushing = false;
  // Of what waits in the queue: nothing but Buffers, nobody to call back.
  #onlyBuffers = true;
  #onlySilent = true;

  constructor(options, stream, isDuplex) {
    super(options, isDuplex ? 'writable' : null, stream._readableState);
    this.#stream = stream;
    this.decodeStrings = options?.decodeStrings !== false;
    this.queue = new Fifo();
    this.length = 0;
    this.corked = 0;
    this.needDrain = false;
    this.tail = OPEN;
    this.coda = Coda.NONE;
    // The chunk that _write is busy with: its callback and its size.
    this.busyFor = null;
    this.busySize = 0;
    // Writes and endings that have not been told of yet.
    this.pendingcb = 0;
  }

  // --- taking chunks ---

  // Says whether there is room for more, or gives back the error that made the write impossible.
  write(given, encoding, callback) {
    if (given === null) throw new codes.ERR_STREAM_NULL_VALUES();
    const told = typeof callback === 'function' ? callback : silent;
    const chunk = this.objectMode ? given : this.#asBytes(given, encoding);
    if (!this.objectMode) encoding = typeof chunk === 'string' ? encoding || this.defaultEncoding : 'buffer';
    const { life } = this;
    if (this.tail !== OPEN || life.over) return this.#refuse(told);

    const size = this.objectMode ? 1 : chunk.length;
    this.pendingcb++;
    this.length += size;
    if (this.busyFor || this.corked || life.failure || !life.ready) this.#enqueue(chunk, encoding, told);
    else this.#hand(chunk, encoding, told, size);
    // What _write has taken at once needs no room, so this is asked last.
    const { length } = this;
    if (length === 0 || length < this.highWaterMark) return life.sound;
    this.needDrain = true;
    return false;
  }

  // A Buffer, unless text is to stay text.
  #asBytes(given, encoding) {
    if (given instanceof Buffer && !encoding) return given;
    if (encoding && encoding !== 'buffer' && !Buffer.isEncoding(encoding)) {
      throw new codes.ERR_UNKNOWN_ENCODING(encoding);
    }
    if (typeof given === 'string') {
      return this.decodeStrings ? Buffer.from(given, encoding || this.defaultEncoding) : given;
    }
    if (ArrayBuffer.isView(given)) return given instanceof Buffer ? given : asBuffer(given);
    throw new codes.ERR_INVALID_ARG_TYPE('chunk', ['string', 'Buffer', 'TypedArray', 'DataView'], given);
  }

  #refuse(told) {
    const err = this.tail === OPEN ? destroyedBefore('write') : new codes.ERR_STREAM_WRITE_AFTER_END();
    process.nextTick(told, err);
    fail(this.#stream, err, true);
    return err;
  }

  #sizeOf(chunk) {
    return this.objectMode ? 1 : chunk.length;
  }

  #enqueue(chunk, encoding, callback) {
    this.queue.append({ chunk, encoding, callback });
    if (encoding !== 'buffer') this.#onlyBuffers = false;
    if (callback !== silent) this.#onlySilent = false;
  }

  #emptyQueue() {
    this.queue.forget();
    this.#onlyBuffers = true;
    this.#onlySilent = true;
  }

  // --- handing them on ---

  #hand(chunk, encoding, callback, size) {
    this.busyFor = callback;
    this.busySize = size;
    this.sync = true;
    this.#stream._write(chunk, encoding, this.#answered);
    this.sync = false;
  }

  #occupy(callback, size) {
    this.busyFor = callback;
    this.busySize = size;
    this.sync = true;
  }

  // Hands on what waits: all at once if the stream can, otherwise until one takes its time.
  flush() {
    if (this.corked || this.#flushing || this.life.over || !this.life.ready) return;
    const { queue } = this;
    if (queue.count === 0) return;
    this.#flushing = true;
    if (queue.count > 1 && this.#stream._writev) {
      this.#handAll(queue.compacted());
    } else {
      do this.#handQueued(queue.shift());
      while (queue.count > 0 && !this.busyFor);
      if (queue.count === 0) this.#emptyQueue();
    }
    this.#flushing = false;
  }

  // One of them may have destroyed the stream, and then the others are not written.
  #handQueued({ chunk, encoding, callback }) {
    const size = this.#sizeOf(chunk);
    if (!this.life.over) {
      this.#hand(chunk, encoding, callback, size);
      return;
    }
    this.#occupy(callback, size);
    this.#answered(destroyedBefore('write'));
    this.sync = false;
  }

  #handAll(entries) {
    // They count as one from here on.
    this.pendingcb -= entries.length - 1;
    const tellAll = (err) => {
      for (const { callback } of entries) callback(err);
    };
    const given = this.#onlySilent ? entries : entries.slice();
    given.allBuffers = this.#onlyBuffers;
    this.#occupy(this.#onlySilent ? silent : tellAll, this.length);
    this.#stream._writev(given, this.#answered);
    this.sync = false;
    this.#emptyQueue();
  }

  // --- after the answer ---

  // What _write calls back.
  #answered = (err) => {
    const { busyFor: callback, sync } = this;
    if (callback === null) {
      fail(this.#stream, new codes.ERR_MULTIPLE_CALLBACK());
      return;
    }
    this.length -= this.busySize;
    this.busyFor = null;
    this.busySize = 0;
    if (err) {
      this.life.note(err);
      if (sync) process.nextTick(() => this.#failed(err, callback));
      else this.#failed(err, callback);
      return;
    }
    if (this.queue.count > 0) this.flush();
    if (sync) this.#tellLater(callback);
    else this.#tell(1, callback);
  };

  #tellLater(callback) {
    if (callback === silent && !this.#silenceNeedsTick()) {
      this.pendingcb--;
      if (this.tail !== OPEN) this.finishIfDone(true);
    } else if (this.#batch?.callback === callback) {
      this.#batch.count++;
    } else {
      this.#tickPending = true;
      const batch = { callback, count: 1 };
      if (callback !== silent) this.#batch = batch;
      process.nextTick(() => {
        if (callback !== silent) this.#batch = null;
        this.#tell(batch.count, callback);
      });
    }
  }

  // With nobody to call back, a tick is worth its price only if there is something else to be done in it.
  #silenceNeedsTick() {
    if (this.#tickPending) return false;
    return (this.needDrain && this.length === 0) || this.life.over || this.objectMode;
  }

  #tell(count, callback) {
    this.#tickPending = false;
    if (this.needDrain && this.length === 0 && this.tail === OPEN && !this.#stream.destroyed) {
      this.needDrain = false;
      this.#stream.emit('drain');
    }
    for (let left = count; left > 0; left--) {
      this.pendingcb--;
      callback(null);
    }
    if (this.life.over) this.giveUp();
    if (this.tail !== OPEN) this.finishIfDone(true);
  }

  // The others in the queue fail too, all before the error is emitted.
  #failed(err, callback) {
    this.pendingcb--;
    callback(err);
    this.giveUp();
    fail(this.#stream, err);
  }

  // Tells everybody who waits for a write or for the end that it will not come.
  giveUp() {
    if (this.busyFor) return;
    while (this.queue.count > 0) {
      const { chunk, callback } = this.queue.shift();
      this.length -= this.#sizeOf(chunk);
      callback(this.errored ?? destroyedBefore('write'));
    }
    this.#tellEnders(this.errored ?? destroyedBefore('end'));
    this.#emptyQueue();
  }

  get hasWaiting() {
    return this.queue.count > 0 || this.#afterEnd.length > 0;
  }

  // --- the end ---

  // end() itself; `refused` is the error of the chunk that was to be the last one.
  close(refused, callback) {
    let err = refused;
    if (!err && !this.errored && this.tail === OPEN) {
      this.tail = ENDING;
      this.finishIfDone(true);
      this.ended = true;
    } else if (!err && this.finished) {
      err = new codes.ERR_STREAM_ALREADY_FINISHED('end');
    } else if (!err && this.life.over) {
      err = destroyedBefore('end');
    }
    if (typeof callback !== 'function') return;
    if (err || this.errored) process.nextTick(callback, err || this.errored);
    else if (this.finished) process.nextTick(callback, null);
    else this.#afterEnd.push(callback);
  }

  #tellEnders(err) {
    for (const callback of this.#afterEnd.splice(0)) callback(err);
  }

  get #done() {
    const { life } = this;
    if (this.tail === OPEN || this.tail === FINISHED) return false;
    if (!life.ready || !life.sound || life.failureTold) return false;
    return this.length === 0 && !this.busyFor && !this.#flushing && this.queue.count === 0;
  }

  finishIfDone(later) {
    if (!this.#done) return;
    this.#prefinish();
    if (this.pendingcb !== 0) return;
    if (later) {
      this.pendingcb++;
      process.nextTick(() => (this.#done ? this.#finish() : this.pendingcb--));
    } else if (this.#done) {
      this.pendingcb++;
      this.#finish();
    }
  }

  #prefinish() {
    if (this.coda !== Coda.NONE) return;
    if (typeof this.#stream._final === 'function') this.#callFinal();
    else this.#tellPrefinish();
  }

  #tellPrefinish() {
    this.coda = Coda.PREFINISHED;
    this.#stream.emit('prefinish');
  }

  #callFinal() {
    this.coda = Coda.FINAL;
    this.pendingcb++;
    let answered = false;
    const answer = (err) => {
      const again = answered;
      answered = true;
      if (again) fail(this.#stream, err ?? new codes.ERR_MULTIPLE_CALLBACK());
      else this.#finalDone(err);
    };
    this.sync = true;
    try {
      this.#stream._final(answer);
    } catch (err) {
      answer(err);
    }
    this.sync = false;
  }

  #finalDone(err) {
    this.pendingcb--;
    if (err) {
      this.#tellEnders(err);
      fail(this.#stream, err, this.sync);
    } else if (this.#done) {
      this.#tellPrefinish();
      // Not from inside end(), even if _final has answered at once.
      this.pendingcb++;
      process.nextTick(() => this.#finish());
    }
  }

  #finish() {
    const stream = this.#stream;
    this.pendingcb--;
    this.finished = true;
    this.#tellEnders(null);
    stream.emit('finish');
    if (this.autoDestroy && (stream._readableState?.allowsDestruction ?? true)) stream.destroy();
  }

  whenReady() {
    if (!this.busyFor) this.flush();
    if (this.tail !== OPEN) this.finishIfDone(false);
  }

  // --- what others ask ---

  // For the other side of a duplex stream: nothing is left to be written.
  get allowsDestruction() {
    return this.autoDestroy && (this.finished || this.writable === false);
  }

  // What stream.writable, stream.writableAborted and stream.writableNeedDrain say.
  get usable() {
    return this.writable !== false && this.life.sound && this.tail === OPEN;
  }

  get aborted() {
    return this.writable !== false && !this.life.sound && !this.finished;
  }

  get wantsDrain() {
    return !this.life.over && this.tail === OPEN && this.needDrain;
  }

  get waiting() {
    return this.queue.items.slice(this.queue.start);
  }

  getBuffer() {
    return this.waiting;
  }

  get bufferedRequestCount() {
    return this.queue.count;
  }

  get writing() {
    return this.busyFor !== null;
  }

  switchOff() {
    this.writable = false;
    this.tail = FINISHED;
  }

  startAgain() {
    this.coda = Coda.NONE;
    this.tail = this.writable === false ? FINISHED : OPEN;
  }
}

expose(WritableState.prototype, {
  ending: reached('tail', ENDING),
  ended: reached('tail', ENDED),
  finished: reached('tail', FINISHED),
  finalCalled: reached('coda', Coda.FINAL),
  prefinished: reached('coda', Coda.PREFINISHED),
});

function destroyedBefore(what) {
  return new codes.ERR_STREAM_DESTROYED(what);
}

module.exports = { WritableState };
