// The read-only properties of streams: what a state says, under the names the documentation gives it.

function getters(prototype, table) {
  for (const [name, get] of Object.entries(table)) {
    Object.defineProperty(prototype, name, { configurable: false, enumerable: false, get });
  }
}

function defineReadable(prototype) {
  Object.defineProperties(prototype, {
    readable: {
      get() {
        const r = this._readableState;
        return !!r && r.readable !== false && !r.destroyed && !r.errorEmitted && !r.endEmitted;
      },
      set(value) {
        if (this._readableState) this._readableState.readable = !!value;
      },
    },
    readableFlowing: {
      get() {
        return this._readableState.flowing;
      },
      set(value) {
        if (this._readableState) this._readableState.flowing = value;
      },
    },
    destroyed: {
      get() {
        return this._readableState ? this._readableState.destroyed : false;
      },
      set(value) {
        if (this._readableState) this._readableState.destroyed = value;
      },
    },
  });
  getters(prototype, {
    readableDidRead() {
      return this._readableState.dataEmitted;
    },
    readableAborted() {
      const r = this._readableState;
      return !!(r.readable !== false && (r.destroyed || r.errored) && !r.endEmitted);
    },
    readableHighWaterMark() {
      return this._readableState.highWaterMark;
    },
    readableBuffer() {
      return this._readableState?.buffer;
    },
    readableLength() {
      return this._readableState.length;
    },
    readableObjectMode() {
      return this._readableState ? this._readableState.objectMode : false;
    },
    readableEncoding() {
      return this._readableState ? this._readableState.encoding : null;
    },
    readableEnded() {
      return this._readableState ? this._readableState.endEmitted : false;
    },
    errored() {
      return this._readableState ? this._readableState.errored : null;
    },
    closed() {
      return this._readableState ? this._readableState.closed : false;
    },
  });
}

const writableGetters = {
  writableFinished() {
    return this._writableState ? this._writableState.finished : false;
  },
  writableObjectMode() {
    return this._writableState ? this._writableState.objectMode : false;
  },
  writableBuffer() {
    return this._writableState?.getBuffer();
  },
  writableEnded() {
    return this._writableState ? this._writableState.ending : false;
  },
  writableNeedDrain() {
    const w = this._writableState;
    return w ? !w.destroyed && !w.ending && w.needDrain : false;
  },
  writableHighWaterMark() {
    return this._writableState?.highWaterMark;
  },
  writableCorked() {
    return this._writableState ? this._writableState.corked : 0;
  },
  writableLength() {
    return this._writableState?.length;
  },
};

const writable = {
  configurable: true,
  get() {
    const w = this._writableState;
    // `writable` may have been set to false by hand, on a duplex stream that only reads.
    return !!w && w.writable !== false && !w.destroyed && !w.errored && !w.ending && !w.ended;
  },
  set(value) {
    if (this._writableState) this._writableState.writable = !!value;
  },
};

function defineWritable(prototype) {
  getters(prototype, {
    ...writableGetters,
    writableAborted() {
      const w = this._writableState;
      return !!(w.writable !== false && (w.destroyed || w.errored) && !w.finished);
    },
    errored() {
      return this._writableState ? this._writableState.errored : null;
    },
    closed() {
      return this._writableState ? this._writableState.closed : false;
    },
  });
  Object.defineProperties(prototype, {
    writable,
    destroyed: {
      get() {
        return this._writableState ? this._writableState.destroyed : false;
      },
      set(value) {
        if (this._writableState) this._writableState.destroyed = value;
      },
    },
  });
}

// A duplex stream inherits the readable ones, and is destroyed only if both sides are.
function defineDuplex(prototype) {
  getters(prototype, writableGetters);
  Object.defineProperties(prototype, {
    writable,
    destroyed: {
      get() {
        const { _readableState: r, _writableState: w } = this;
        return r === undefined || w === undefined ? false : r.destroyed && w.destroyed;
      },
      set(value) {
        if (!this._readableState || !this._writableState) return;
        this._readableState.destroyed = value;
        this._writableState.destroyed = value;
      },
    },
  });
}

module.exports = { defineDuplex, defineReadable, defineWritable };
