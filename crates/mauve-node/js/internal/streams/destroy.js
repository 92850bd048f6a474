// The end of a stream's life: construction, destruction, and what is emitted when.
// 'error' and 'close' always come from a later tick, in this order, and each at most once.

const { AbortError, codes } = require('internal/errors');
const {
  aggregateTwoErrors,
  isDestroyed,
  isFinished,
  isRequest,
  isServerRequest,
  kIsDestroyed,
} = require('internal/streams/utils');

const kConstruct = Symbol('kConstruct');
const kDestroy = Symbol('kDestroy');

// A duplex stream has two states, and both must say the same.
function both(stream, change) {
  if (stream._writableState) change(stream._writableState);
  if (stream._readableState) change(stream._readableState);
}

function noteError(err, stream) {
  if (!err) return;
  // Asking for the stack now fixes it before the frames that raised the error are gone.
  err.stack; // eslint-disable-line no-unused-expressions
  both(stream, (state) => {
    if (!state.errored) state.errored = err;
  });
}

// Readable.prototype.destroy and Writable.prototype.destroy.
function destroy(err, cb) {
  const r = this._readableState;
  const w = this._writableState;
  if (w?.destroyed || r?.destroyed) {
    if (typeof cb === 'function') cb();
    return this;
  }
  noteError(err, this);
  both(this, (state) => {
    state.destroyed = true;
  });
  if ((w || r).constructed) {
    runDestroy(this, err, cb);
  } else {
    this.once(kDestroy, (constructErr) => runDestroy(this, aggregateTwoErrors(constructErr, err), cb));
  }
  return this;
}

function runDestroy(stream, err, cb) {
  let called = false;
  function done(destroyErr) {
    if (called) return;
    called = true;
    noteError(destroyErr, stream);
    both(stream, (state) => {
      state.closed = true;
    });
    if (typeof cb === 'function') cb(destroyErr);
    if (destroyErr) process.nextTick(emitErrorThenClose, stream, destroyErr);
    else process.nextTick(emitClose, stream);
  }
  try {
    stream._destroy(err || null, done);
  } catch (thrown) {
    done(thrown);
  }
}

function emitErrorThenClose(stream, err) {
  emitError(stream, err);
  emitClose(stream);
}

function emitClose(stream) {
  const { _readableState: r, _writableState: w } = stream;
  both(stream, (state) => {
    state.closeEmitted = true;
  });
  if (w?.emitClose || r?.emitClose) stream.emit('close');
}

function emitError(stream, err) {
  const { _readableState: r, _writableState: w } = stream;
  if (w?.errorEmitted || r?.errorEmitted) return;
  both(stream, (state) => {
    state.errorEmitted = true;
  });
  stream.emit('error', err);
}

// Brings a destroyed stream back to its beginning; net.Socket uses it to connect again.
function undestroy() {
  const r = this._readableState;
  const w = this._writableState;
  both(this, (state) => {
    state.constructed = true;
    state.closed = false;
    state.closeEmitted = false;
    state.destroyed = false;
    state.errored = null;
    state.errorEmitted = false;
  });
  if (r) {
    r.reading = false;
    r.ended = r.readable === false;
    r.endEmitted = r.readable === false;
  }
  if (w) {
    w.finalCalled = false;
    w.prefinished = false;
    w.ended = w.writable === false;
    w.ending = w.writable === false;
    w.finished = w.writable === false;
  }
}

// What an error inside a stream leads to: destruction, or (without autoDestroy) just the event.
function errorOrDestroy(stream, err, sync) {
  const { _readableState: r, _writableState: w } = stream;
  if (w?.destroyed || r?.destroyed) return;
  if (r?.autoDestroy || w?.autoDestroy) {
    stream.destroy(err);
    return;
  }
  if (!err) return;
  noteError(err, stream);
  if (sync) process.nextTick(emitError, stream, err);
  else emitError(stream, err);
}

// Runs _construct, if there is one, before anything is read or written. A duplex stream registers
// twice (once per side) and constructs once.
function construct(stream, whenConstructed) {
  if (typeof stream._construct !== 'function') return;
  both(stream, (state) => {
    state.constructed = false;
  });
  stream.once(kConstruct, whenConstructed);
  if (stream.listenerCount(kConstruct) > 1) return;
  process.nextTick(runConstruct, stream);
}

function runConstruct(stream) {
  let called = false;
  function constructed(err) {
    if (called) {
      errorOrDestroy(stream, err ?? new codes.ERR_MULTIPLE_CALLBACK());
      return;
    }
    called = true;
    const state = stream._writableState || stream._readableState;
    both(stream, (each) => {
      each.constructed = true;
    });
    if (state.destroyed) stream.emit(kDestroy, err);
    else if (err) errorOrDestroy(stream, err, true);
    else stream.emit(kConstruct);
  }
  try {
    stream._construct((err) => process.nextTick(constructed, err));
  } catch (err) {
    process.nextTick(constructed, err);
  }
}

// Destroys whatever kind of stream this is, as far as it can be destroyed.
function destroyer(stream, err) {
  if (!stream || isDestroyed(stream)) return;
  if (!err && !isFinished(stream)) err = new AbortError();
  if (isServerRequest(stream)) {
    stream.socket = null;
    stream.destroy(err);
  } else if (isRequest(stream)) {
    stream.abort();
  } else if (isRequest(stream.req)) {
    stream.req.abort();
  } else if (typeof stream.destroy === 'function') {
    stream.destroy(err);
  } else if (typeof stream.close === 'function') {
    stream.close();
  } else if (err) {
    process.nextTick(() => {
      stream.emit('error', err);
      stream.emit('close');
    });
  } else {
    process.nextTick(() => stream.emit('close'));
  }
  if (!stream.destroyed) stream[kIsDestroyed] = true;
}

module.exports = { construct, destroy, destroyer, errorOrDestroy, undestroy };
