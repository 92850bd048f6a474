// stream.Writable: takes chunks, hands them to _write one at a time, and buffers the rest.
//
// A chunk's way: write() counts it, then gives it to _write or (while one is under way, corked or not
// yet constructed) to the buffer; onWritten() is told by _write that it is done and goes on with the
// buffer; afterWrite() runs the user's callbacks and 'drain', in a later tick if _write was synchronous.

const { codes } = require('internal/errors');
const { Buffer } = require('buffer');
const { Stream } = require('internal/streams/legacy');
const { construct, destroy, errorOrDestroy, undestroy } = require('internal/streams/destroy');
const { addAbortSignal } = require('internal/streams/add_abort_signal');
const { kDuplex } = require('internal/streams/utils');
const { getDefaultHighWaterMark, getHighWaterMark } = require('internal/streams/state');

function nop() {}

const kOnFinished = Symbol('kOnFinished');

class WritableState {
  constructor(options, stream, isDuplex) {
    this.objectMode = !!options?.objectMode || (isDuplex && !!options?.writableObjectMode);
    this.highWaterMark = options
      ? getHighWaterMark(this, options, 'writableHighWaterMark', isDuplex)
      : getDefaultHighWaterMark(false);
    this.length = 0;
    this.corked = 0;
    this.onwrite = (err) => onWritten(stream, this, err);
    this.writelen = 0;
    this.pendingcb = 0;
    this.bufferedIndex = 0;
    this.buffered = [];
    this.allBuffers = true;
    this.allNoop = true;
    this.finalCalled = false;
    this.needDrain = false;
    this.ending = false;
    this.ended = false;
    this.finished = false;
    this.destroyed = false;
    this.decodeStrings = options?.decodeStrings !== false;
    this.defaultEncoding = defaultEncodingOf(options);
    this.writing = false;
    this.sync = true;
    this.bufferProcessing = false;
    this.writecb = null;
    this.afterWriteTickInfo = null;
    this.afterWritePending = false;
    this.constructed = true;
    this.prefinished = false;
    this.errorEmitted = false;
    this.emitClose = options?.emitClose !== false;
    this.autoDestroy = options?.autoDestroy !== false;
    this.errored = null;
    this.closed = false;
    this.closeEmitted = false;
    this[kOnFinished] = [];
  }

  getBuffer() {
    return this.buffered.slice(this.bufferedIndex);
  }

  get bufferedRequestCount() {
    return this.buffered.length - this.bufferedIndex;
  }
}

function defaultEncodingOf(options) {
  const encoding = options?.defaultEncoding;
  if (encoding == null) return 'utf8';
  if (!Buffer.isEncoding(encoding)) throw new codes.ERR_UNKNOWN_ENCODING(encoding);
  return encoding;
}

function resetBuffer(state) {
  state.buffered = [];
  state.bufferedIndex = 0;
  state.allBuffers = true;
  state.allNoop = true;
}

function Writable(options) {
  const isDuplex = this?.[kDuplex] === true;
  if (!isDuplex && !Function.prototype[Symbol.hasInstance].call(Writable, this)) return new Writable(options);
  this._events ??= {
    close: undefined,
    error: undefined,
    prefinish: undefined,
    finish: undefined,
    drain: undefined,
  };
  this._writableState = new WritableState(options, this, isDuplex);
  if (options) takeMethods(this, options);
  Stream.call(this, options);
  // A duplex stream registers for both sides in its own constructor.
  if (isDuplex) return;
  construct(this, () => whenConstructed(this));
  if (options?.signal) addAbortSignal(options.signal, this);
}
Object.setPrototypeOf(Writable.prototype, Stream.prototype);
Object.setPrototypeOf(Writable, Stream);
Writable.WritableState = WritableState;
Object.defineProperty(Writable, 'whenConstructed', { value: whenConstructed });

function takeMethods(stream, options) {
  if (typeof options.write === 'function') stream._write = options.write;
  if (typeof options.writev === 'function') stream._writev = options.writev;
  if (typeof options.destroy === 'function') stream._destroy = options.destroy;
  if (typeof options.final === 'function') stream._final = options.final;
  if (typeof options.construct === 'function') stream._construct = options.construct;
}

function whenConstructed(stream) {
  const state = stream._writableState;
  if (!state.writing) clearBuffer(stream, state);
  if (state.ending) finishMaybe(stream, state);
}

// Duplex streams are writable too, though they inherit from Readable.
Object.defineProperty(Writable, Symbol.hasInstance, {
  value(object) {
    if (Function.prototype[Symbol.hasInstance].call(this, object)) return true;
    if (this !== Writable) return false;
    return !!(object && object._writableState instanceof WritableState);
  },
});

Writable.prototype.pipe = function pipe() {
  errorOrDestroy(this, new codes.ERR_STREAM_CANNOT_PIPE());
};

Writable.prototype.write = function write(chunk, encoding, cb) {
  if (typeof encoding === 'function') {
    cb = encoding;
    encoding = null;
  }
  return writeChunk(this, chunk, encoding, cb) === true;
};

// Returns whether there is room for more, or the error that made the write impossible.
function writeChunk(stream, chunk, encoding, cb) {
  const state = stream._writableState;
  if (typeof cb !== 'function') cb = nop;
  if (chunk === null) throw new codes.ERR_STREAM_NULL_VALUES();
  if (!state.objectMode) {
    if (!encoding) {
      encoding = state.defaultEncoding;
    } else if (encoding !== 'buffer' && !Buffer.isEncoding(encoding)) {
      throw new codes.ERR_UNKNOWN_ENCODING(encoding);
    }
    if (typeof chunk === 'string') {
      if (state.decodeStrings) {
        chunk = Buffer.from(chunk, encoding);
        encoding = 'buffer';
      }
    } else if (chunk instanceof Buffer) {
      encoding = 'buffer';
    } else if (ArrayBuffer.isView(chunk)) {
      chunk = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      encoding = 'buffer';
    } else {
      throw new codes.ERR_INVALID_ARG_TYPE('chunk', ['string', 'Buffer', 'TypedArray', 'DataView'], chunk);
    }
  }

  let err;
  if (state.ending) err = new codes.ERR_STREAM_WRITE_AFTER_END();
  else if (state.destroyed) err = new codes.ERR_STREAM_DESTROYED('write');
  if (err) {
    process.nextTick(cb, err);
    errorOrDestroy(stream, err, true);
    return err;
  }
  state.pendingcb++;
  return writeOrBuffer(stream, state, chunk, encoding, cb);
}

function writeOrBuffer(stream, state, chunk, encoding, callback) {
  const len = state.objectMode ? 1 : chunk.length;
  state.length += len;
  if (state.writing || state.corked || state.errored || !state.constructed) {
    state.buffered.push({ chunk, encoding, callback });
    if (state.allBuffers && encoding !== 'buffer') state.allBuffers = false;
    if (state.allNoop && callback !== nop) state.allNoop = false;
  } else {
    state.writelen = len;
    state.writecb = callback;
    state.writing = true;
    state.sync = true;
    stream._write(chunk, encoding, state.onwrite);
    state.sync = false;
  }
  // Asked only now: what _write has taken at once needs no room.
  const room = state.length < state.highWaterMark || state.length === 0;
  if (!room) state.needDrain = true;
  return room && !state.errored && !state.destroyed;
}

function hand(stream, state, isVector, len, chunk, encoding, cb) {
  state.writelen = len;
  state.writecb = cb;
  state.writing = true;
  state.sync = true;
  if (state.destroyed) state.onwrite(new codes.ERR_STREAM_DESTROYED('write'));
  else if (isVector) stream._writev(chunk, state.onwrite);
  else stream._write(chunk, encoding, state.onwrite);
  state.sync = false;
}

// _write's callback.
function onWritten(stream, state, err) {
  const { sync, writecb: cb } = state;
  if (typeof cb !== 'function') {
    errorOrDestroy(stream, new codes.ERR_MULTIPLE_CALLBACK());
    return;
  }
  state.writing = false;
  state.writecb = null;
  state.length -= state.writelen;
  state.writelen = 0;

  if (err) {
    err.stack; // eslint-disable-line no-unused-expressions
    if (!state.errored) state.errored = err;
    if (stream._readableState && !stream._readableState.errored) stream._readableState.errored = err;
    if (sync) process.nextTick(writeFailed, stream, state, err, cb);
    else writeFailed(stream, state, err, cb);
    return;
  }
  if (state.buffered.length > state.bufferedIndex) clearBuffer(stream, state);
  if (sync) {
    afterWriteLater(stream, state, cb);
  } else {
    afterWrite(stream, state, 1, cb);
  }
}

// Writes of bytes without a callback cost no tick, unless somebody waits for 'drain'; equal callbacks
// in a row share one.
function afterWriteLater(stream, state, cb) {
  const needDrain = state.needDrain && state.length === 0;
  if (cb === nop && (state.afterWritePending || !(needDrain || state.destroyed || state.objectMode))) {
    state.pendingcb--;
    if (state.ending) finishMaybe(stream, state, true);
    return;
  }
  const info = state.afterWriteTickInfo;
  if (info !== null && info.cb === cb) {
    info.count++;
    return;
  }
  if (cb === nop) {
    state.afterWritePending = true;
    process.nextTick(afterWrite, stream, state, 1, cb);
    return;
  }
  state.afterWritePending = true;
  const batch = { count: 1, cb };
  state.afterWriteTickInfo = batch;
  process.nextTick(() => {
    state.afterWriteTickInfo = null;
    afterWrite(stream, state, batch.count, cb);
  });
}

function afterWrite(stream, state, count, cb) {
  state.afterWritePending = false;
  if (!state.ending && !stream.destroyed && state.length === 0 && state.needDrain) {
    state.needDrain = false;
    stream.emit('drain');
  }
  while (count-- > 0) {
    state.pendingcb--;
    cb(null);
  }
  if (state.destroyed) failBuffer(state);
  if (state.ending) finishMaybe(stream, state, true);
}

function writeFailed(stream, state, err, cb) {
  --state.pendingcb;
  cb(err);
  // Everything behind it fails too, before the error is emitted.
  failBuffer(state);
  errorOrDestroy(stream, err);
}

// Tells every buffered write, and everybody who waits for the end, that it will not happen.
function failBuffer(state) {
  if (state.writing) return;
  for (let i = state.bufferedIndex; i < state.buffered.length; i++) {
    const { chunk, callback } = state.buffered[i];
    state.length -= state.objectMode ? 1 : chunk.length;
    callback(state.errored ?? new codes.ERR_STREAM_DESTROYED('write'));
  }
  tellFinished(state, state.errored ?? new codes.ERR_STREAM_DESTROYED('end'));
  resetBuffer(state);
}

function tellFinished(state, err) {
  for (const callback of state[kOnFinished].splice(0)) callback(err);
}

function clearBuffer(stream, state) {
  if (state.corked || state.bufferProcessing || state.destroyed || !state.constructed) return;
  const { buffered } = state;
  const count = buffered.length - state.bufferedIndex;
  if (count === 0) return;

  let i = state.bufferedIndex;
  state.bufferProcessing = true;
  if (count > 1 && stream._writev) {
    state.pendingcb -= count - 1;
    const callback = state.allNoop
      ? nop
      : (err) => {
          for (let n = i; n < buffered.length; n++) buffered[n].callback(err);
        };
    const chunks = state.allNoop && i === 0 ? buffered : buffered.slice(i);
    chunks.allBuffers = state.allBuffers;
    hand(stream, state, true, state.length, chunks, '', callback);
    resetBuffer(state);
  } else {
    do {
      const { chunk, encoding, callback } = buffered[i];
      buffered[i++] = null;
      hand(stream, state, false, state.objectMode ? 1 : chunk.length, chunk, encoding, callback);
    } while (i < buffered.length && !state.writing);
    if (i === buffered.length) {
      resetBuffer(state);
    } else if (i > 256) {
      buffered.splice(0, i);
      state.bufferedIndex = 0;
    } else {
      state.bufferedIndex = i;
    }
  }
  state.bufferProcessing = false;
}

Writable.prototype._write = function _write(chunk, encoding, cb) {
  if (!this._writev) throw new codes.ERR_METHOD_NOT_IMPLEMENTED('_write()');
  this._writev([{ chunk, encoding }], cb);
};
Writable.prototype._writev = null;

Writable.prototype.cork = function cork() {
  this._writableState.corked++;
};

Writable.prototype.uncork = function uncork() {
  const state = this._writableState;
  if (!state.corked) return;
  state.corked--;
  if (!state.writing) clearBuffer(this, state);
};

Writable.prototype.setDefaultEncoding = function setDefaultEncoding(encoding) {
  if (typeof encoding === 'string') encoding = encoding.toLowerCase();
  if (!Buffer.isEncoding(encoding)) throw new codes.ERR_UNKNOWN_ENCODING(encoding);
  this._writableState.defaultEncoding = encoding;
  return this;
};

Writable.prototype.end = function end(chunk, encoding, cb) {
  const state = this._writableState;
  if (typeof chunk === 'function') {
    cb = chunk;
    chunk = null;
    encoding = null;
  } else if (typeof encoding === 'function') {
    cb = encoding;
    encoding = null;
  }

  let err;
  if (chunk !== null && chunk !== undefined) {
    const result = writeChunk(this, chunk, encoding);
    if (result instanceof Error) err = result;
  }
  if (state.corked) {
    state.corked = 1;
    this.uncork();
  }
  if (err) {
    // The failed write has already been reported.
  } else if (!state.errored && !state.ending) {
    state.ending = true;
    finishMaybe(this, state, true);
    state.ended = true;
  } else if (state.finished) {
    err = new codes.ERR_STREAM_ALREADY_FINISHED('end');
  } else if (state.destroyed) {
    err = new codes.ERR_STREAM_DESTROYED('end');
  }
  if (typeof cb === 'function') {
    if (err) process.nextTick(cb, err);
    else if (state.errored) process.nextTick(cb, state.errored);
    else if (state.finished) process.nextTick(cb, null);
    else state[kOnFinished].push(cb);
  }
  return this;
};

function needFinish(state) {
  return (
    state.ending &&
    state.constructed &&
    state.length === 0 &&
    !state.destroyed &&
    !state.errored &&
    !state.finished &&
    !state.writing &&
    !state.errorEmitted &&
    !state.closeEmitted &&
    state.buffered.length === 0
  );
}

function finishMaybe(stream, state, sync) {
  if (!needFinish(state)) return;
  prefinish(stream, state);
  if (state.pendingcb !== 0) return;
  if (sync) {
    state.pendingcb++;
    process.nextTick(() => {
      if (needFinish(state)) finish(stream, state);
      else state.pendingcb--;
    });
  } else if (needFinish(state)) {
    state.pendingcb++;
    finish(stream, state);
  }
}

function prefinish(stream, state) {
  if (state.prefinished || state.finalCalled) return;
  if (typeof stream._final === 'function' && !state.destroyed) {
    state.finalCalled = true;
    callFinal(stream, state);
  } else {
    state.prefinished = true;
    stream.emit('prefinish');
  }
}

function callFinal(stream, state) {
  let called = false;
  function onFinal(err) {
    if (called) {
      errorOrDestroy(stream, err ?? new codes.ERR_MULTIPLE_CALLBACK());
      return;
    }
    called = true;
    state.pendingcb--;
    if (err) {
      tellFinished(state, err);
      errorOrDestroy(stream, err, state.sync);
    } else if (needFinish(state)) {
      state.prefinished = true;
      stream.emit('prefinish');
      // Kept open for one more tick, so that 'finish' never comes from inside end().
      state.pendingcb++;
      process.nextTick(finish, stream, state);
    }
  }
  state.sync = true;
  state.pendingcb++;
  try {
    stream._final(onFinal);
  } catch (err) {
    onFinal(err);
  }
  state.sync = false;
}

function finish(stream, state) {
  state.pendingcb--;
  state.finished = true;
  tellFinished(state, null);
  stream.emit('finish');
  if (!state.autoDestroy) return;
  const r = stream._readableState;
  if (!r || (r.autoDestroy && (r.endEmitted || r.readable === false))) stream.destroy();
}

Writable.prototype.destroy = function (err, cb) {
  const state = this._writableState;
  if (!state.destroyed && (state.bufferedIndex < state.buffered.length || state[kOnFinished].length)) {
    process.nextTick(failBuffer, state);
  }
  return destroy.call(this, err, cb);
};
Object.defineProperty(Writable.prototype.destroy, 'name', { value: 'destroy' });

Writable.prototype._undestroy = undestroy;
Writable.prototype._destroy = function _destroy(err, cb) {
  cb(err);
};
Writable.prototype[Symbol.for('nodejs.rejection')] = function onRejection(err) {
  this.destroy(err);
};

require('internal/streams/properties').defineWritable(Writable.prototype);

Writable.fromWeb = Writable.toWeb = function notThere() {
  throw new codes.ERR_METHOD_NOT_IMPLEMENTED('web streams');
};

module.exports = Writable;
