// The properties of streams: what their states say, under the names that the documentation gives them.

// Listed as name: [field of the state, what to say while there is no state].
const READING = {
  readableBuffer: ['buffer', undefined],
  readableObjectMode: ['objectMode', false],
  readableEncoding: ['encoding', null],
  readableEnded: ['endEmitted', false],
  errored: ['errored', null],
  closed: ['closed', false],
};

const WRITING = {
  writableFinished: ['finished', false],
  writableObjectMode: ['objectMode', false],
  writableBuffer: ['waiting', undefined],
  writableEnded: ['ending', false],
  writableNeedDrain: ['wantsDrain', false],
  writableHighWaterMark: ['highWaterMark', undefined],
  writableCorked: ['corked', 0],
  writableLength: ['length', undefined],
};

const WRITING_ALONE = {
  errored: ['errored', null],
  closed: ['closed', false],
};

// These make no sense, and fail, without a state.
const NEEDS_READING_STATE = {
  readableDidRead: 'dataEmitted',
  readableAborted: 'aborted',
  readableHighWaterMark: 'highWaterMark',
  readableLength: 'length',
};

function addGetter(prototype, name, get) {
  Object.defineProperty(prototype, name, { configurable: false, enumerable: false, get });
}

function addTable(prototype, stateName, table) {
  for (const [name, [field, otherwise]] of Object.entries(table)) {
    addGetter(prototype, name, function () {
      const state = this[stateName];
      return state ? state[field] : otherwise;
    });
  }
}

// A property that programs may write to; that changes the state, if there is one.
function addSettable(prototype, stateName, name, { read, write, configurable = false }) {
  Object.defineProperty(prototype, name, {
    configurable,
    get() {
      return read(this[stateName]);
    },
    set(value) {
      if (this[stateName]) write(this[stateName], value);
    },
  });
}

// One life is behind both sides, so either state knows.
const destroyed = {
  read: (state) => (state ? state.destroyed : false),
  write(state, is) {
    state.destroyed = is;
  },
};

const writable = {
  configurable: true,
  read: (state) => Boolean(state?.usable),
  write(state, is) {
    state.writable = Boolean(is);
  },
};

function defineReadable(prototype) {
  addSettable(prototype, '_readableState', 'readable', {
    read: (state) => Boolean(state?.usable),
    write(state, is) {
      state.readable = Boolean(is);
    },
  });
  addSettable(prototype, '_readableState', 'readableFlowing', {
    read: (state) => state.flowing,
    write(state, value) {
      state.flowing = value;
    },
  });
  addSettable(prototype, '_readableState', 'destroyed', destroyed);
  addTable(prototype, '_readableState', READING);
  for (const [name, field] of Object.entries(NEEDS_READING_STATE)) {
    addGetter(prototype, name, function () {
      return this._readableState[field];
    });
  }
}

function defineWritable(prototype) {
  addSettable(prototype, '_writableState', 'writable', writable);
  addSettable(prototype, '_writableState', 'destroyed', destroyed);
  addTable(prototype, '_writableState', { ...WRITING, ...WRITING_ALONE });
  addGetter(prototype, 'writableAborted', function () {
    return this._writableState.aborted;
  });
}

// A duplex stream inherits what is said about reading.
function defineDuplex(prototype) {
  addSettable(prototype, '_writableState', 'writable', writable);
  addSettable(prototype, '_writableState', 'destroyed', destroyed);
  addTable(prototype, '_writableState', WRITING);
}

module.exports = { defineDuplex, defineReadable, defineWritable };
