// The methods pipe, unpipe and wrap of Readable.
const { errorOrDestroy } = require('internal/streams/destroy');
const { prependListener } = require('internal/streams/legacy');

// A pipe from one source to one destination.
class Pipe {
  constructor(source, dest, sourceListeners, destListeners) {
    this.source = source;
    this.dest = dest;
    this.sourceListeners = sourceListeners;
    this.destListeners = destListeners;
  }

  static connect(source, dest, endsDest) {
    const sourceListeners = { end: endsDest ? () => dest.end() : () => source.unpipe(dest), data: (chunk) => pipe.onData(chunk) };
    const destListeners = {
      close: () => pipe.unpipe('finish'),
      finish: () => pipe.unpipe('close'),
      drain: () => pipe.onDrain(),
      error: (err) => pipe.onError(err),
      unpipe: (from, info) => pipe.onUnpipe(from, info),
    };
    const pipe = new Pipe(source, dest, sourceListeners, destListeners);
    const state = source._readableState;
    if (state.endEmitted) process.nextTick(sourceListeners.end);
    else source.once('end', sourceListeners.end);
    dest.on('unpipe', destListeners.unpipe);
    source.on('data', sourceListeners.data);
    prependListener(dest, 'error', destListeners.error);
    dest.once('close', destListeners.close);
    dest.once('finish', destListeners.finish);
    dest.emit('pipe', source);
    if (dest.writableNeedDrain === true) pipe.pause();
    else if (!state.flowing) source.resume();
  }

  onData(chunk) { if (this.dest.write(chunk) === false) this.pause(); }

  // The destination is full: pauses the source until all destinations have drained.
  pause() {
    const { source, dest } = this;
    if (!this.isDisconnected) {
      const state = source._readableState;
      if (state.pipes.includes(dest)) {
        // With one destination, only its 'drain' matters.
        state.multiAwaitDrain = state.pipes.length > 1;
        if (!state.multiAwaitDrain || !state.awaitDrain) state.awaitDrain = new Set();
        state.awaitDrain.add(dest);
      }
      source.pause();
    }
    if (this.watchesDrain) return;
    this.watchesDrain = true;
    dest.on('drain', this.destListeners.drain);
  }

  onDrain() {
    const { source, dest } = this;
    const state = source._readableState;
    state.awaitDrain?.delete(dest);
    if (!state.awaitDrain?.size && source.listenerCount('data') > 0) source.resume();
  }

  // 'close' and 'finish' both unpipe; the first removes the listener of the other.
  unpipe(other) {
    this.dest.removeListener(other, this.destListeners[other]);
    this.source.unpipe(this.dest);
  }

  onError(err) {
    const { source, dest } = this;
    source.unpipe(dest);
    dest.removeListener('error', this.destListeners.error);
    if (dest.listenerCount('error') > 0) return;
    const state = dest._writableState || dest._readableState;
    if (!state || state.errorEmitted) dest.emit('error', err);
    else errorOrDestroy(dest, err);
  }

  // unpipe() emits 'unpipe' on the destination, so the pipes of other sources get the event, too.
  onUnpipe(from, info) {
    if (from !== this.source || info?.hasUnpiped !== false) return;
    info.hasUnpiped = true;
    const { dest, destListeners, sourceListeners } = this;
    for (const event in destListeners) dest.removeListener(event, destListeners[event]);
    for (const event in sourceListeners) from.removeListener(event, sourceListeners[event]);
    this.isDisconnected = true;
    if (!this.watchesDrain) return;
    // This pipe no longer gets 'drain', and the other destinations must not wait for it.
    const state = from._readableState;
    const awaited = (state.multiAwaitDrain || state.awaitDrain?.size > 0);
    if (awaited && (dest._writableState?.needDrain ?? true)) this.onDrain();
  }
}

Object.assign(Pipe.prototype, {
  // The listener of 'drain' is added when the destination is full for the first time.
  watchesDrain: false,
  isDisconnected: false,
  // Set by internal/http/incoming.
  isUnpiped: false,
});

function isStandardOutput(dest) { return dest._isStdio === true && (process.stdout === dest || process.stderr === dest); }
function emitUnpipe(source, dest) { dest.emit('unpipe', source, { hasUnpiped: false }); }

const methods = {
  pipe(dest, options) {
    const state = this._readableState;
    if (state.pipes.length === 1) state.multiAwaitDrain = true;
    state.pipes.push(dest);
    Pipe.connect(this, dest, options?.end !== false && !isStandardOutput(dest));
    return dest;
  },

  unpipe(dest) {
    const state = this._readableState;
    const removed = dest ? state.pipes.filter((one) => one === dest).slice(0, 1) : state.pipes;
    if (removed.length === 0) return this;
    if (dest) state.pipes.splice(state.pipes.indexOf(dest), 1);
    else state.pipes = [];
    if (state.pipes.length === 0) this.pause();
    for (const one of removed) emitUnpipe(this, one);
    return this;
  },

  wrap(old) {
    let paused = false;
    const listeners = {
      data: (chunk) => {
        if (this.push(chunk) || !old.pause) return;
        paused = true;
        old.pause();
      },
      end: () => this.push(null),
      error: (err) => errorOrDestroy(this, err),
      close: () => this.destroy(),
      destroy: () => this.destroy(),
    };
    for (const [event, listener] of Object.entries(listeners)) old.on(event, listener);
    this._read = () => {
      if (!paused || !old.resume) return;
      paused = false;
      old.resume();
    };
    // Other methods of the old stream become available on the new one.
    for (const name of Object.keys(old)) {
      if (this[name] !== undefined) continue;
      if (typeof old[name] === 'function') this[name] = old[name].bind(old);
    }
    return this;
  },
};

module.exports = { Pipe, methods };
