// pipe, unpipe and wrap: how a readable stream feeds others, and how it is fed by an emitter of old.

const { fail } = require('internal/streams/life');
const { listenFirst } = require('internal/streams/legacy');

// One source running into one destination.
class Pipe {
  // Listens to 'drain' from the first time that the destination was full.
  #watchesDrain = false;
  #broken = false;

  constructor(source, dest) {
    this.source = source;
    this.dest = dest;
    this.state = source._readableState;
    this.atSource = { end: null, data: (chunk) => this.carry(chunk) };
    this.atDest = {
      close: () => this.leave('finish'),
      finish: () => this.leave('close'),
      drain: () => this.drained(),
      error: (err) => this.failed(err),
      unpipe: (from, info) => this.disconnect(from, info),
    };
  }

  lay(endsDest) {
    const { source, dest, state, atSource, atDest } = this;
    atSource.end = endsDest ? () => dest.end() : () => source.unpipe(dest);
    if (state.endEmitted) process.nextTick(atSource.end);
    else source.once('end', atSource.end);
    dest.on('unpipe', atDest.unpipe);
    source.on('data', atSource.data);
    listenFirst(dest, 'error', atDest.error);
    dest.once('close', atDest.close);
    dest.once('finish', atDest.finish);
    dest.emit('pipe', source);
    if (dest.writableNeedDrain === true) this.hold();
    else if (!state.flowing) source.resume();
  }

  carry(chunk) {
    if (this.dest.write(chunk) === false) this.hold();
  }

  // The destination is full: the source waits until nobody is.
  hold() {
    const { source, dest, state } = this;
    if (!this.#broken) {
      if (state.pipes.includes(dest)) {
        // Alone, it is the only one to wait for.
        state.branches = state.pipes.length > 1;
        if (!state.branches || !state.full) state.full = new Set();
        state.full.add(dest);
      }
      source.pause();
    }
    if (this.#watchesDrain) return;
    this.#watchesDrain = true;
    dest.on('drain', this.atDest.drain);
  }

  drained() {
    const { source, dest, state } = this;
    state.full?.delete(dest);
    if (!state.full?.size && source.listenerCount('data') > 0) source.resume();
  }

  // 'close' and 'finish' mean the same here; the first one makes the other superfluous.
  leave(other) {
    this.dest.removeListener(other, this.atDest[other]);
    this.source.unpipe(this.dest);
  }

  failed(err) {
    const { source, dest } = this;
    source.unpipe(dest);
    dest.removeListener('error', this.atDest.error);
    if (dest.listenerCount('error') > 0) return;
    const state = dest._writableState || dest._readableState;
    if (!state || state.errorEmitted) dest.emit('error', err);
    else fail(dest, err);
  }

  // unpipe() tells through the destination; the pipes of other sources hear it as well.
  disconnect(from, info) {
    if (from !== this.source || info?.hasUnpiped !== false) return;
    info.hasUnpiped = true;
    const { dest, state } = this;
    for (const [event, listener] of Object.entries(this.atDest)) dest.removeListener(event, listener);
    for (const [event, listener] of Object.entries(this.atSource)) from.removeListener(event, listener);
    this.#broken = true;
    // It will not drain for us any more, and the others must not wait for that.
    const awaited = this.#watchesDrain && (state.branches || state.full?.size > 0);
    if (awaited && (dest._writableState?.needDrain ?? true)) this.drained();
  }
}

function isStandardOutput(dest) {
  return dest._isStdio === true && (process.stdout === dest || process.stderr === dest);
}

function depart(source, dest) {
  dest.emit('unpipe', source, { hasUnpiped: false });
}

module.exports = {
  pipe(dest, options) {
    const state = this._readableState;
    if (state.pipes.length === 1) state.branches = true;
    state.pipes.push(dest);
    new Pipe(this, dest).lay(options?.end !== false && !isStandardOutput(dest));
    return dest;
  },

  unpipe(dest) {
    const state = this._readableState;
    const leaving = dest ? state.pipes.filter((one) => one === dest).slice(0, 1) : state.pipes;
    if (leaving.length === 0) return this;
    if (dest) state.pipes.splice(state.pipes.indexOf(dest), 1);
    else state.pipes = [];
    if (state.pipes.length === 0) this.pause();
    for (const one of leaving) depart(this, one);
    return this;
  },

  wrap(old) {
    let holding = false;
    const hear = {
      data: (chunk) => {
        if (this.push(chunk) || !old.pause) return;
        holding = true;
        old.pause();
      },
      end: () => this.push(null),
      error: (err) => fail(this, err),
      close: () => this.destroy(),
      destroy: () => this.destroy(),
    };
    for (const [event, listener] of Object.entries(hear)) old.on(event, listener);
    this._read = () => {
      if (!holding || !old.resume) return;
      holding = false;
      old.resume();
    };
    // Whatever else the old one can do is reached through the new one.
    for (const name of Object.keys(old)) {
      if (this[name] !== undefined) continue;
      if (typeof old[name] === 'function') this[name] = old[name].bind(old);
    }
    return this;
  },
};
