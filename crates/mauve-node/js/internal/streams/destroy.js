// The lifecycle of a stream: construction, destruction, and the events 'error' and 'close'.
//
// There is one Lifecycle per stream. Both states of a duplex stream share it, so that both sides are
// destroyed at once. 'error' and 'close' are emitted in this order, once, in a later tick.
const { AbortError, codes } = require('internal/errors');
const types = require('internal/streams/types');
const { aggregateTwoErrors, destroyedStreams, isDestroyed, isFinished } = require('internal/streams/utils');

// Each state implies the ones before it.
const DestroyState = Object.freeze({ OPEN: 0, DESTROYED: 1, CLOSED: 2, CLOSE_EMITTED: 3 });

class Lifecycle {
  set(destroyState, err) {
    // Only what changes, because writing to a property of the prototype creates one.
    const destroyed = destroyState !== DestroyState.OPEN;
    const closeEmitted = destroyState === DestroyState.CLOSE_EMITTED;
    const active = !destroyed && !err;
    this.destroyState = destroyState;
    if (this.errored !== err) this.errored = err;
    if (this.destroyed !== destroyed) this.destroyed = destroyed;
    if (this.closeEmitted !== closeEmitted) this.closeEmitted = closeEmitted;
    if (this.active !== active) this.active = active;
  }

  // Advances to a state or, with `reached` false, goes back to the one before it.
  setDestroyState(stage, reached) {
    const { destroyState } = this;
    this.set(reached ? Math.max(destroyState, stage) : Math.min(destroyState, stage - 1), this.errored);
  }

  recordError(err) {
    if (!err) return;
    // The engine formats the stack on first access; accessing it here keeps the original call site.
    void err.stack;
    if (!this.errored) this.set(this.destroyState, err);
  }

  emitError(stream, err) {
    if (this.errorEmitted) return;
    this.errorEmitted = true;
    stream.emit('error', err);
  }

  // Calls _construct, if the stream has one, before anything is read or written.
  construct(stream, onConstructed) {
    if (typeof stream._construct !== 'function') return;
    this.constructed = false;
    process.nextTick(() => this.#callConstruct(stream, onConstructed));
  }

  #callConstruct(stream, onConstructed) {
    const settle = callOnce(
      (err) => {
        this.constructed = true;
        if (this.destroyed) this.pendingDestroy?.(err);
        else if (err) errorOrDestroy(stream, err, true);
        else onConstructed(stream);
      },
      (err) => errorOrDestroy(stream, err ?? new codes.ERR_MULTIPLE_CALLBACK()),
    );
    callMethod((done) => stream._construct(done), (err) => process.nextTick(settle, err));
  }

  destroy(stream, err, callback) {
    if (err) this.recordError(err);
    this.setDestroyState(DestroyState.DESTROYED, true);
    if (this.constructed) this.#close(stream, err, callback);
    else this.pendingDestroy = (earlier) => this.#close(stream, aggregateTwoErrors(earlier, err), callback);
  }

  #close(stream, reason, callback) {
    let isSettled = false;
    const settle = (err) => {
      if (isSettled) return;
      isSettled = true;
      if (err) this.recordError(err);
      this.setDestroyState(DestroyState.CLOSED, true);
      if (typeof callback === 'function') callback(err);
      process.nextTick(() => this.#emitClose(stream, err));
    };
    try {
      stream._destroy(reason || null, settle);
    } catch (err) {
      settle(err);
    }
  }

  #emitClose(stream, err) {
    if (err) this.emitError(stream, err);
    // _undestroy() may have been called since.
    if (this.destroyState === DestroyState.CLOSED) this.setDestroyState(DestroyState.CLOSE_EMITTED, true);
    if (stream._writableState?.emitClose || stream._readableState?.emitClose) stream.emit('close');
  }

  reset() {
    this.set(DestroyState.OPEN, null);
    this.errorEmitted = false;
    this.constructed = true;
  }
}

// Initial values, on the prototype because they are faster to create there and few of them change.
Object.assign(Lifecycle.prototype, {
  destroyState: DestroyState.OPEN,
  // The first error, and whether 'error' has been emitted for it.
  errored: null,
  errorEmitted: false,
  // False while _construct runs.
  constructed: true,
  // Derived from destroyState and errored whenever these change, because every chunk checks them.
  // `active` means neither destroyed nor errored.
  destroyed: false,
  closeEmitted: false,
  active: true,
  // A destroy() call that waits for _construct to finish.
  pendingDestroy: null,
});

// Calls a user method that takes a callback. An exception is passed to the callback, too.
function callMethod(method, done) {
  try {
    method(done);
  } catch (err) {
    done(err);
  }
}

function callOnce(fn, onRepeat) {
  let called = false;
  return (err) => {
    if (called) {
      onRepeat?.(err);
    } else {
      called = true;
      fn(err);
    }
  };
}

const lifecycleOf = (stream) => (stream._writableState || stream._readableState)?.lifecycle;

// Methods that every stream class has.
const destroyMethods = {
  destroy(err, callback) {
    const lifecycle = lifecycleOf(this);
    if (!lifecycle.destroyed) lifecycle.destroy(this, err, callback);
    else if (typeof callback === 'function') callback();
    return this;
  },

  _destroy(err, callback) { callback(err); },

  // Resets the stream, because a socket may connect again.
  _undestroy() {
    lifecycleOf(this).reset();
    this._readableState?.reset();
    this._writableState?.reset();
  },

  async [Symbol.asyncDispose]() {
    const { finished } = require('internal/streams/finished');
    if (!this.destroyed) this.destroy(this.readableEnded ?? this.writableFinished ? null : new AbortError());
    const outcome = await new Promise((resolve) => finished(this, resolve));
    if (outcome && outcome.name !== 'AbortError') throw outcome;
  },

  // The promise of an async listener was rejected (captureRejections).
  [Symbol.for('nodejs.rejection')](err) { this.destroy(err); },
};

// Handles an error inside a stream: destroys it or, without autoDestroy, only emits 'error'. The stream
// may be of a user's class, so this reads nothing but public properties.
function errorOrDestroy(stream, err, later = false) {
  const states = [stream._readableState, stream._writableState].filter(Boolean);
  if (states.some((state) => state.destroyed)) return;
  if (states.some((state) => state.autoDestroy)) {
    stream.destroy(err);
    return;
  }
  if (!err) return;
  const lifecycle = lifecycleOf(stream);
  lifecycle?.recordError(err);
  const emit = () => (lifecycle ? lifecycle.emitError(stream, err) : stream.emit('error', err));
  if (later) process.nextTick(emit);
  else emit();
}

// Destroys a stream, a request or an old-style emitter with the method that it has.
function destroyer(stream, err) {
  if (!stream || isDestroyed(stream)) return;
  if (!err && !isFinished(stream)) err = new AbortError();
  if (types.isServerRequest(stream)) {
    stream.socket = null;
    stream.destroy(err);
  } else {
    const request = [stream, stream.req].find(types.isClientRequest);
    if (request) request.abort();
    else if (typeof stream.destroy === 'function') stream.destroy(err);
    else if (typeof stream.close === 'function') stream.close();
    else process.nextTick(emitErrorAndClose, stream, err);
  }
  if (!stream.destroyed) destroyedStreams.add(stream);
}

function emitErrorAndClose(stream, err) {
  if (err) stream.emit('error', err);
  stream.emit('close');
}

module.exports = { DestroyState, Lifecycle, destroyMethods, destroyer, errorOrDestroy };
