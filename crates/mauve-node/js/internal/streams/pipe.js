// pipe, unpipe and wrap: how a Readable feeds another stream, and how it is fed by an old-style one.

const { errorOrDestroy } = require('internal/streams/destroy');
const { prependListener } = require('internal/streams/legacy');

// Called when dest has room again; the source flows on once no destination is full.
function drained(source, dest) {
  const state = source._readableState;
  if (state.awaitDrainWriters === dest) state.awaitDrainWriters = null;
  else if (state.multiAwaitDrain) state.awaitDrainWriters.delete(dest);
  const waiting = state.awaitDrainWriters;
  if ((!waiting || waiting.size === 0) && source.listenerCount('data')) source.resume();
}

function isStandardOutput(dest) {
  return dest._isStdio === true && (dest === process.stdout || dest === process.stderr);
}

function pipe(dest, options) {
  const source = this;
  const state = this._readableState;
  if (state.pipes.length === 1 && !state.multiAwaitDrain) {
    state.multiAwaitDrain = true;
    state.awaitDrainWriters = new Set(state.awaitDrainWriters ? [state.awaitDrainWriters] : []);
  }
  state.pipes.push(dest);

  let onDrain;
  let cleanedUp = false;

  function onEnd() {
    dest.end();
  }
  function unpipe() {
    source.unpipe(dest);
  }
  function onUnpipe(readable, info) {
    if (readable === source && info && info.hasUnpiped === false) {
      info.hasUnpiped = true;
      cleanup();
    }
  }
  function cleanup() {
    dest.removeListener('close', onClose);
    dest.removeListener('finish', onFinish);
    if (onDrain) dest.removeListener('drain', onDrain);
    dest.removeListener('error', onError);
    dest.removeListener('unpipe', onUnpipe);
    source.removeListener('end', onEnd);
    source.removeListener('end', unpipe);
    source.removeListener('data', onData);
    cleanedUp = true;
    // This destination will not drain for us any more: do not let the others wait for it.
    if (onDrain && state.awaitDrainWriters && (!dest._writableState || dest._writableState.needDrain)) onDrain();
  }
  function waitForDrain() {
    if (!cleanedUp) {
      if (state.pipes.length === 1 && state.pipes[0] === dest) {
        state.awaitDrainWriters = dest;
        state.multiAwaitDrain = false;
      } else if (state.pipes.length > 1 && state.pipes.includes(dest)) {
        state.awaitDrainWriters.add(dest);
      }
      source.pause();
    }
    if (!onDrain) {
      onDrain = () => drained(source, dest);
      dest.on('drain', onDrain);
    }
  }
  function onData(chunk) {
    if (dest.write(chunk) === false) waitForDrain();
  }
  function onError(err) {
    unpipe();
    dest.removeListener('error', onError);
    if (dest.listenerCount('error') !== 0) return;
    const destState = dest._writableState || dest._readableState;
    if (destState && !destState.errorEmitted) errorOrDestroy(dest, err);
    else dest.emit('error', err);
  }
  function onClose() {
    dest.removeListener('finish', onFinish);
    unpipe();
  }
  function onFinish() {
    dest.removeListener('close', onClose);
    unpipe();
  }

  const endsDest = (!options || options.end !== false) && !isStandardOutput(dest);
  const atEnd = endsDest ? onEnd : unpipe;
  if (state.endEmitted) process.nextTick(atEnd);
  else source.once('end', atEnd);
  dest.on('unpipe', onUnpipe);
  source.on('data', onData);
  prependListener(dest, 'error', onError);
  dest.once('close', onClose);
  dest.once('finish', onFinish);
  dest.emit('pipe', source);
  if (dest.writableNeedDrain === true) waitForDrain();
  else if (!state.flowing) source.resume();
  return dest;
}

function unpipe(dest) {
  const state = this._readableState;
  if (state.pipes.length === 0) return this;
  if (!dest) {
    const dests = state.pipes;
    state.pipes = [];
    this.pause();
    for (const each of dests) each.emit('unpipe', this, { hasUnpiped: false });
    return this;
  }
  const index = state.pipes.indexOf(dest);
  if (index === -1) return this;
  state.pipes.splice(index, 1);
  if (state.pipes.length === 0) this.pause();
  dest.emit('unpipe', this, { hasUnpiped: false });
  return this;
}

function wrap(old) {
  let paused = false;
  old.on('data', (chunk) => {
    if (!this.push(chunk) && old.pause) {
      paused = true;
      old.pause();
    }
  });
  old.on('end', () => this.push(null));
  old.on('error', (err) => errorOrDestroy(this, err));
  old.on('close', () => this.destroy());
  old.on('destroy', () => this.destroy());
  this._read = () => {
    if (paused && old.resume) {
      paused = false;
      old.resume();
    }
  };
  for (const name of Object.keys(old)) {
    if (this[name] === undefined && typeof old[name] === 'function') this[name] = old[name].bind(old);
  }
  return this;
}

function definePipe(Readable) {
  Readable.prototype.pipe = pipe;
  Readable.prototype.unpipe = unpipe;
  Readable.prototype.wrap = wrap;
}

module.exports = { definePipe };
