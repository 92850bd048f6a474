// The documented properties of streams, which read the states.
// Listed as name: [field of the state, value without a state]. Those without a second entry throw without a state.
const BOTH = { errored: ['errored', null], closed: ['closed', false] };

const READABLE = {
  readableBuffer: ['buffer', undefined],
  readableObjectMode: ['objectMode', false],
  readableEncoding: ['encoding', null],
  readableEnded: ['endEmitted', false],
  ...BOTH,
  readableDidRead: ['dataEmitted'],
  readableAborted: ['aborted'],
  readableHighWaterMark: ['highWaterMark'],
  readableLength: ['length'],
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

function addTable(prototype, stateName, table) {
  for (const name in table) {
    const [field, fallback] = table[name];
    const isRequired = table[name].length === 1;
    Object.defineProperty(prototype, name, {
      get() {
        const state = this[stateName];
        return state || isRequired ? state[field] : fallback;
      },
    });
  }
}

// A property with a setter that changes the state, if there is one.
function addAccessor(prototype, stateName, name, read, write, configurable = false) {
  Object.defineProperty(prototype, name, {
    configurable,
    get() { return read(this[stateName]); },
    set(value) { if (this[stateName]) write(this[stateName], value); },
  });
}

// Both states share one lifecycle, so either has the value. A state that is not one of ours has none.
function addDestroyed(prototype, stateName) {
  addAccessor(prototype, stateName, 'destroyed', (state) => (state ? (state.lifecycle ?? state).destroyed : false),
    (state, value) => { state.destroyed = value; });
}

function defineReadableProperties(prototype) {
  addAccessor(prototype, '_readableState', 'readable', (state) => Boolean(state?.isReadable),
    (state, value) => { state.readable = Boolean(value); });
  addAccessor(prototype, '_readableState', 'readableFlowing', (state) => state.flowing,
    (state, value) => { state.flowing = value; });
  addDestroyed(prototype, '_readableState');
  addTable(prototype, '_readableState', READABLE);
}

// A duplex stream inherits the readable properties.
function defineDuplexProperties(prototype) {
  addAccessor(prototype, '_writableState', 'writable', (state) => Boolean(state?.isWritable),
    (state, value) => { state.writable = Boolean(value); }, true);
  addDestroyed(prototype, '_writableState');
  addTable(prototype, '_writableState', WRITABLE);
}

function defineWritableProperties(prototype) {
  defineDuplexProperties(prototype);
  addTable(prototype, '_writableState', { ...BOTH, writableAborted: ['aborted'] });
}

module.exports = { defineDuplexProperties, defineReadableProperties, defineWritableProperties };
