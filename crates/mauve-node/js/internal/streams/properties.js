// The documented properties of streams, which read the states.

// Listed as name: [field of the state, value without a state].
const READABLE = {
  readableBuffer: ['buffer', undefined],
  readableObjectMode: ['objectMode', false],
  readableEncoding: ['encoding', null],
  readableEnded: ['endEmitted', false],
  errored: ['errored', null],
  closed: ['closed', false],
};

const WRITABLE = {
  writableFinished: ['finished', false],
  writableObjectMode: ['objectMode', false],
  writableBuffer: ['bufferedRequests', undefined],
  writableEnded: ['ending', false],
  writableNeedDrain: ['isDrainNeeded', false],
  writableHighWaterMark: ['highWaterMark', undefined],
  writableCorked: ['corked', 0],
  writableLength: ['length', undefined],
};

const WRITABLE_ONLY = {
  errored: ['errored', null],
  closed: ['closed', false],
};

// These throw without a state.
const READABLE_STATE_REQUIRED = {
  readableDidRead: 'dataEmitted',
  readableAborted: 'aborted',
  readableHighWaterMark: 'highWaterMark',
  readableLength: 'length',
};

function addGetter(prototype, name, get) {
  Object.defineProperty(prototype, name, { configurable: false, enumerable: false, get });
}

function addTable(prototype, stateName, table) {
  for (const [name, [field, fallback]] of Object.entries(table)) {
    addGetter(prototype, name, function () {
      const state = this[stateName];
      return state ? state[field] : fallback;
    });
  }
}

// A property with a setter that changes the state, if there is one.
function addAccessor(prototype, stateName, name, { get: read, set: write, configurable = false }) {
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

// Both states share one lifecycle, so either has the value.
const destroyed = {
  // A state that is not one of ours has no lifecycle.
  get: (state) => (state ? (state.lifecycle ?? state).destroyed : false),
  set(state, value) {
    state.destroyed = value;
  },
};

const writable = {
  configurable: true,
  get: (state) => Boolean(state?.isWritable),
  set(state, value) {
    state.writable = Boolean(value);
  },
};

function defineReadableProperties(prototype) {
  addAccessor(prototype, '_readableState', 'readable', {
    get: (state) => Boolean(state?.isReadable),
    set(state, value) {
      state.readable = Boolean(value);
    },
  });
  addAccessor(prototype, '_readableState', 'readableFlowing', {
    get: (state) => state.flowing,
    set(state, value) {
      state.flowing = value;
    },
  });
  addAccessor(prototype, '_readableState', 'destroyed', destroyed);
  addTable(prototype, '_readableState', READABLE);
  for (const [name, field] of Object.entries(READABLE_STATE_REQUIRED)) {
    addGetter(prototype, name, function () {
      return this._readableState[field];
    });
  }
}

function defineWritableProperties(prototype) {
  addAccessor(prototype, '_writableState', 'writable', writable);
  addAccessor(prototype, '_writableState', 'destroyed', destroyed);
  addTable(prototype, '_writableState', { ...WRITABLE, ...WRITABLE_ONLY });
  addGetter(prototype, 'writableAborted', function () {
    return this._writableState.aborted;
  });
}

// A duplex stream inherits the readable properties.
function defineDuplexProperties(prototype) {
  addAccessor(prototype, '_writableState', 'writable', writable);
  addAccessor(prototype, '_writableState', 'destroyed', destroyed);
  addTable(prototype, '_writableState', WRITABLE);
}

module.exports = { defineDuplexProperties, defineReadableProperties, defineWritableProperties };
