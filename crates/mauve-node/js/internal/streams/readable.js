// stream.Readable: a source that is asked with _read and answers with push.
//
// Two modes share one buffer. Flowing: chunks go out as 'data' as soon as they are there. Paused: the
// 'readable' event says that read() has something to give. Every step that could call the user's code
// from inside the user's call is put off to the next tick; which tick is part of the contract.

const { codes } = require('internal/errors');
const { Buffer } = require('buffer');
const { Stream } = require('internal/streams/legacy');
const { construct, destroy, errorOrDestroy, undestroy } = require('internal/streams/destroy');
const { addAbortSignal } = require('internal/streams/add_abort_signal');
const { getDefaultHighWaterMark, getHighWaterMark } = require('internal/streams/state');
const { kDuplex } = require('internal/streams/utils');
const { add, take } = require('internal/streams/buffer_list');

const kPaused = Symbol('kPaused');

class ReadableState {
  constructor(options, stream, isDuplex) {
    this.objectMode = !!options?.objectMode || (isDuplex && !!options?.readableObjectMode);
    this.highWaterMark = options
      ? getHighWaterMark(this, options, 'readableHighWaterMark', isDuplex)
      : getDefaultHighWaterMark(false);
    this.buffer = [];
    this.bufferIndex = 0;
    this.length = 0;
    this.pipes = [];
    // null: nobody has chosen a mode yet.
    this.flowing = null;
    this.ended = false;
    this.endEmitted = false;
    this.reading = false;
    this.constructed = true;
    // Whether push is being called from inside _read.
    this.sync = true;
    this.needReadable = false;
    this.emittedReadable = false;
    this.readableListening = false;
    this.resumeScheduled = false;
    this[kPaused] = null;
    this.errorEmitted = false;
    this.emitClose = options?.emitClose !== false;
    this.autoDestroy = options?.autoDestroy !== false;
    this.destroyed = false;
    this.errored = null;
    this.closed = false;
    this.closeEmitted = false;
    this.defaultEncoding = defaultEncodingOf(options);
    this.awaitDrainWriters = null;
    this.multiAwaitDrain = false;
    this.readingMore = false;
    this.dataEmitted = false;
    this.decoder = null;
    this.encoding = null;
    if (options?.encoding) {
      this.decoder = newDecoder(options.encoding);
      this.encoding = options.encoding;
    }
  }

  get pipesCount() {
    return this.pipes.length;
  }

  get paused() {
    return this[kPaused] !== false;
  }

  set paused(value) {
    this[kPaused] = !!value;
  }
}

function newDecoder(encoding) {
  const { StringDecoder } = require('string_decoder');
  return new StringDecoder(encoding);
}

function defaultEncodingOf(options) {
  const encoding = options?.defaultEncoding;
  if (encoding == null) return 'utf8';
  if (!Buffer.isEncoding(encoding)) throw new codes.ERR_UNKNOWN_ENCODING(encoding);
  return encoding;
}

function Readable(options) {
  if (!(this instanceof Readable)) return new Readable(options);
  this._events ??= { close: undefined, error: undefined, data: undefined, end: undefined, readable: undefined };
  const isDuplex = this[kDuplex] === true;
  this._readableState = new ReadableState(options, this, isDuplex);
  if (options) {
    if (typeof options.read === 'function') this._read = options.read;
    if (typeof options.destroy === 'function') this._destroy = options.destroy;
    if (typeof options.construct === 'function') this._construct = options.construct;
  }
  Stream.call(this, options);
  // A duplex stream registers for both sides in its own constructor.
  if (isDuplex) return;
  construct(this, () => whenConstructed(this));
  if (options?.signal) addAbortSignal(options.signal, this);
}
Object.setPrototypeOf(Readable.prototype, Stream.prototype);
Object.setPrototypeOf(Readable, Stream);
Readable.ReadableState = ReadableState;

function whenConstructed(stream) {
  const state = stream._readableState;
  if (state.needReadable) maybeReadMore(stream, state);
}

Readable.prototype.destroy = destroy;
Readable.prototype._undestroy = undestroy;
Readable.prototype._destroy = function _destroy(err, cb) {
  cb(err);
};
Readable.prototype[Symbol.for('nodejs.rejection')] = function onRejection(err) {
  this.destroy(err);
};

Readable.prototype.push = function push(chunk, encoding) {
  return accept(this, chunk, encoding, false);
};

Readable.prototype.unshift = function unshift(chunk, encoding) {
  return accept(this, chunk, encoding, true);
};

// Takes a chunk from the source. Returns whether the source should go on.
function accept(stream, chunk, encoding, toFront) {
  const state = stream._readableState;
  if (chunk === null) {
    state.reading = false;
    onEnd(stream, state);
    return false;
  }
  if (!state.objectMode) {
    if (typeof chunk === 'string') {
      encoding ||= state.defaultEncoding;
      if (state.encoding !== encoding) {
        if (toFront && state.encoding) {
          chunk = Buffer.from(chunk, encoding).toString(state.encoding);
        } else {
          chunk = Buffer.from(chunk, encoding);
          encoding = '';
        }
      }
    } else if (chunk instanceof Buffer) {
      encoding = '';
    } else if (ArrayBuffer.isView(chunk)) {
      chunk = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      encoding = '';
    } else if (chunk !== undefined) {
      const expected = ['string', 'Buffer', 'TypedArray', 'DataView'];
      errorOrDestroy(stream, new codes.ERR_INVALID_ARG_TYPE('chunk', expected, chunk));
      return false;
    }
    if (!chunk || chunk.length <= 0) {
      if (!toFront) {
        state.reading = false;
        maybeReadMore(stream, state);
      }
      return wantsMore(state);
    }
  }

  if (toFront) {
    if (state.endEmitted) errorOrDestroy(stream, new codes.ERR_STREAM_UNSHIFT_AFTER_END_EVENT());
    else if (state.destroyed || state.errored) return false;
    else addChunk(stream, state, chunk, true);
    return wantsMore(state);
  }
  if (state.ended) {
    errorOrDestroy(stream, new codes.ERR_STREAM_PUSH_AFTER_EOF());
    return false;
  }
  if (state.destroyed || state.errored) return false;
  state.reading = false;
  if (state.decoder && !encoding) {
    chunk = state.decoder.write(chunk);
    if (!state.objectMode && chunk.length === 0) {
      maybeReadMore(stream, state);
      return wantsMore(state);
    }
  }
  addChunk(stream, state, chunk, false);
  return wantsMore(state);
}

function wantsMore(state) {
  return !state.ended && (state.length < state.highWaterMark || state.length === 0);
}

function addChunk(stream, state, chunk, toFront) {
  if (state.flowing && state.length === 0 && !state.sync && stream.listenerCount('data') > 0) {
    forgetDrain(state);
    state.dataEmitted = true;
    stream.emit('data', chunk);
  } else {
    state.length += state.objectMode ? 1 : chunk.length;
    add(state, chunk, toFront);
    if (state.needReadable) emitReadable(stream);
  }
  maybeReadMore(stream, state);
}

function forgetDrain(state) {
  if (state.multiAwaitDrain) state.awaitDrainWriters.clear();
  else state.awaitDrainWriters = null;
}

function onEnd(stream, state) {
  if (state.ended) return;
  if (state.decoder) {
    const rest = state.decoder.end();
    if (rest?.length) {
      state.buffer.push(rest);
      state.length += state.objectMode ? 1 : rest.length;
    }
  }
  state.ended = true;
  if (state.sync) {
    emitReadable(stream);
  } else {
    // Outside _read there is no call of ours on the stack: say it at once.
    state.needReadable = false;
    state.emittedReadable = true;
    emitReadableNow(stream);
  }
}

Readable.prototype.setEncoding = function setEncoding(encoding) {
  const state = this._readableState;
  const decoder = newDecoder(encoding);
  state.decoder = decoder;
  state.encoding = decoder.encoding;
  let text = '';
  for (const chunk of state.buffer.slice(state.bufferIndex)) text += decoder.write(chunk);
  state.buffer = text === '' ? [] : [text];
  state.bufferIndex = 0;
  state.length = text.length;
  return this;
};

const MAX_HIGH_WATER_MARK = 0x40000000;

function raisedHighWaterMark(n) {
  if (n > MAX_HIGH_WATER_MARK) throw new codes.ERR_OUT_OF_RANGE('size', '<= 1GiB', n);
  let mark = 1;
  while (mark < n) mark *= 2;
  return mark;
}

function howMuchToRead(n, state) {
  if (n <= 0 || (state.length === 0 && state.ended)) return 0;
  if (state.objectMode) return 1;
  if (Number.isNaN(n)) {
    // One chunk at a time while flowing, everything otherwise.
    return state.flowing && state.length ? state.buffer[state.bufferIndex].length : state.length;
  }
  if (n <= state.length) return n;
  return state.ended ? state.length : 0;
}

Readable.prototype.read = function read(n) {
  if (n === undefined) n = NaN;
  else if (!Number.isInteger(n)) n = Number.parseInt(n, 10);
  const state = this._readableState;
  const asked = n;

  if (n > state.highWaterMark) state.highWaterMark = raisedHighWaterMark(n);
  if (n !== 0) state.emittedReadable = false;

  // read(0) with enough in the buffer: only say again that it is there.
  if (n === 0 && state.needReadable) {
    const enough = state.highWaterMark !== 0 ? state.length >= state.highWaterMark : state.length > 0;
    if (enough || state.ended) {
      if (state.length === 0 && state.ended) endReadable(this);
      else emitReadable(this);
      return null;
    }
  }

  n = howMuchToRead(n, state);
  if (n === 0 && state.ended) {
    if (state.length === 0) endReadable(this);
    return null;
  }

  const low = state.length === 0 || state.length - n < state.highWaterMark;
  const possible = !state.ended && !state.reading && !state.destroyed && !state.errored && state.constructed;
  if ((state.needReadable || low) && possible) {
    state.reading = true;
    state.sync = true;
    if (state.length === 0) state.needReadable = true;
    try {
      this._read(state.highWaterMark);
    } catch (err) {
      errorOrDestroy(this, err);
    }
    state.sync = false;
    // A synchronous push may have changed how much there is to give.
    if (!state.reading) n = howMuchToRead(asked, state);
  }

  const result = n > 0 ? take(n, state) : null;
  if (result === null) {
    if (state.length <= state.highWaterMark) state.needReadable = true;
    n = 0;
  } else {
    state.length -= n;
    forgetDrain(state);
  }
  if (state.length === 0) {
    if (!state.ended) state.needReadable = true;
    if (asked !== n && state.ended) endReadable(this);
  }
  if (result !== null && !state.errorEmitted && !state.closeEmitted) {
    state.dataEmitted = true;
    this.emit('data', result);
  }
  return result;
};

Readable.prototype._read = function _read() {
  throw new codes.ERR_METHOD_NOT_IMPLEMENTED('_read()');
};

function emitReadable(stream) {
  const state = stream._readableState;
  state.needReadable = false;
  if (state.emittedReadable) return;
  state.emittedReadable = true;
  process.nextTick(emitReadableNow, stream);
}

function emitReadableNow(stream) {
  const state = stream._readableState;
  if (!state.destroyed && !state.errored && (state.length || state.ended)) {
    stream.emit('readable');
    state.emittedReadable = false;
  }
  if (!state.flowing && !state.ended && state.length <= state.highWaterMark) state.needReadable = true;
  flow(stream);
}

// Fills the buffer up to the mark, a tick later, so that a source which answers at once cannot recurse.
function maybeReadMore(stream, state) {
  if (state.readingMore || !state.constructed) return;
  state.readingMore = true;
  process.nextTick(readMore, stream, state);
}

function readMore(stream, state) {
  while (
    !state.reading &&
    !state.ended &&
    (state.length < state.highWaterMark || (state.flowing && state.length === 0))
  ) {
    const before = state.length;
    stream.read(0);
    if (before === state.length) break;
  }
  state.readingMore = false;
}

Readable.prototype.on = function on(event, listener) {
  const result = Stream.prototype.on.call(this, event, listener);
  const state = this._readableState;
  if (event === 'data') {
    state.readableListening = this.listenerCount('readable') > 0;
    if (state.flowing !== false) this.resume();
  } else if (event === 'readable' && !state.endEmitted && !state.readableListening) {
    state.readableListening = true;
    state.needReadable = true;
    state.flowing = false;
    state.emittedReadable = false;
    if (state.length) emitReadable(this);
    else if (!state.reading) process.nextTick(readNothing, this);
  }
  return result;
};
Readable.prototype.addListener = Readable.prototype.on;

function readNothing(stream) {
  stream.read(0);
}

Readable.prototype.removeListener = function removeListener(event, listener) {
  const result = Stream.prototype.removeListener.call(this, event, listener);
  afterRemoval(this, event);
  return result;
};
Readable.prototype.off = Readable.prototype.removeListener;

Readable.prototype.removeAllListeners = function removeAllListeners(event) {
  const result = Stream.prototype.removeAllListeners.apply(this, arguments);
  afterRemoval(this, event === undefined ? 'readable' : event);
  return result;
};

// A tick later, since somebody may be about to add a listener in place of the one that has gone.
function afterRemoval(stream, event) {
  if (event === 'readable') process.nextTick(updateReadableListening, stream);
}

function updateReadableListening(stream) {
  const state = stream._readableState;
  state.readableListening = stream.listenerCount('readable') > 0;
  if (state.resumeScheduled && state[kPaused] === false) {
    state.flowing = true;
  } else if (stream.listenerCount('data') > 0) {
    stream.resume();
  } else if (!state.readableListening) {
    state.flowing = null;
  }
}

Readable.prototype.isPaused = function isPaused() {
  const state = this._readableState;
  return state[kPaused] === true || state.flowing === false;
};

Readable.prototype.resume = function resume() {
  const state = this._readableState;
  if (!state.flowing) {
    // With a 'readable' listener, reading stays that listener's business.
    state.flowing = !state.readableListening;
    if (!state.resumeScheduled) {
      state.resumeScheduled = true;
      process.nextTick(resumeNow, this, state);
    }
  }
  state[kPaused] = false;
  return this;
};

function resumeNow(stream, state) {
  if (!state.reading) stream.read(0);
  state.resumeScheduled = false;
  stream.emit('resume');
  flow(stream);
  if (state.flowing && !state.reading) stream.read(0);
}

Readable.prototype.pause = function pause() {
  const state = this._readableState;
  if (state.flowing !== false) {
    state.flowing = false;
    this.emit('pause');
  }
  state[kPaused] = true;
  return this;
};

function flow(stream) {
  const state = stream._readableState;
  while (state.flowing && stream.read() !== null);
}

function endReadable(stream) {
  const state = stream._readableState;
  if (state.endEmitted) return;
  state.ended = true;
  process.nextTick(emitEnd, state, stream);
}

function emitEnd(state, stream) {
  if (state.errored || state.closeEmitted || state.endEmitted || state.length !== 0) return;
  state.endEmitted = true;
  stream.emit('end');
  if (stream.writable && stream.allowHalfOpen === false) {
    process.nextTick(endWritable, stream);
  } else if (state.autoDestroy) {
    const w = stream._writableState;
    if (!w || (w.autoDestroy && (w.finished || w.writable === false))) stream.destroy();
  }
}

function endWritable(stream) {
  if (stream.writable && !stream.writableEnded && !stream.destroyed) stream.end();
}

Readable.prototype.iterator = function iterator(options) {
  const { validateObject } = require('internal/validators');
  if (options !== undefined) validateObject(options, 'options');
  return require('internal/streams/iterator').toAsyncIterator(this, options);
};
Readable.prototype[Symbol.asyncIterator] = function asyncIterator() {
  return require('internal/streams/iterator').toAsyncIterator(this);
};
Readable.prototype[Symbol.asyncDispose ?? Symbol.for('nodejs.asyncDispose')] = async function asyncDispose() {
  const { AbortError } = require('internal/errors');
  if (!this.destroyed) this.destroy(this.readableEnded ? null : new AbortError());
  const { finished } = require('internal/streams/finished');
  await new Promise((resolve, reject) => {
    finished(this, (err) => (err && err.name !== 'AbortError' ? reject(err) : resolve()));
  });
};

require('internal/streams/pipe').definePipe(Readable);
require('internal/streams/properties').defineReadable(Readable.prototype);
require('internal/streams/operators').defineOperators(Readable);

Readable._fromList = take;
Readable.from = function from(iterable, options) {
  return require('internal/streams/from').from(Readable, iterable, options);
};
Readable.wrap = function wrap(source, options) {
  const objectMode = source.readableObjectMode ?? source.objectMode ?? true;
  return new Readable({
    objectMode,
    ...options,
    destroy(err, cb) {
      require('internal/streams/destroy').destroyer(source, err);
      cb(err);
    },
  }).wrap(source);
};
Readable.fromWeb = Readable.toWeb = function notThere() {
  throw new codes.ERR_METHOD_NOT_IMPLEMENTED('web streams');
};

module.exports = Readable;
