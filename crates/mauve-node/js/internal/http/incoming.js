// http.IncomingMessage: a request that a server receives, or a response that a client receives.

const stream = require('stream');

const { splitFields } = require('internal/http/parser');

const { Readable } = stream;

const kVersion = Symbol('version');
// The limit of entries in rawHeaders: two per header.
const kHeadersCount = Symbol('headersCount');

function IncomingMessage(socket) {
  this.socket = socket;
}
Object.setPrototypeOf(IncomingMessage.prototype, Readable.prototype);
Object.setPrototypeOf(IncomingMessage, Readable);

// Initial values, on the prototype because most messages change only a few of them.
Object.assign(IncomingMessage.prototype, {
  // Ten times the version; 0 if it is unknown.
  [kVersion]: 0,
  complete: false,
  [kHeadersCount]: Infinity,
  joinDuplicateHeaders: false,
  aborted: false,
  upgrade: null,
  url: '',
  method: null,
  statusCode: null,
  statusMessage: null,
  _consumed: false,
  _consuming: false,
  _dumped: false,
});

// Most requests have no body. The Readable part of a message is therefore initialized when a chunk arrives
// or a program needs it. Until then, kStage is how far resume() and the end of the message have been
// processed. The events and their ticks are those of a Readable without chunks.
const kInitialized = Symbol('initialized');
const kStage = Symbol('stage');
// Received completely.
const kEnded = Symbol('ended');
const Stage = Object.freeze({
  NONE: 0, RESUMED: 1, ENDING: 2, END_EMITTED: 3, DESTROYED: 4, CLOSED: 5, CLOSE_EMITTED: 6,
});
Object.assign(IncomingMessage.prototype, { [kInitialized]: false, [kStage]: Stage.NONE, [kEnded]: false });

Object.defineProperty(IncomingMessage.prototype, '_readableState', {
  get() {
    // Accessed on the prototype itself.
    if (!Object.hasOwn(this, 'socket')) return undefined;
    const { socket, [kStage]: stage } = this;
    Readable.call(this, socket ? { highWaterMark: socket.readableHighWaterMark } : undefined);
    const state = this._readableState;
    state.readingMore = true;
    if (stage !== Stage.NONE) Object.assign(state, { flowing: true, paused: false });
    if (stage === Stage.RESUMED) state.resumeScheduled = true;
    if (stage < Stage.ENDING) {
      if (this[kEnded]) this.push(null);
      return state;
    }
    Object.assign(state, { ended: true, endEmitted: stage >= Stage.END_EMITTED });
    if (stage > Stage.END_EMITTED) state.lifecycle.setDestroyState(stage - Stage.END_EMITTED, true);
    return state;
  },
  set(state) {
    this[kInitialized] = true;
    Object.defineProperty(this, '_readableState',
      { value: state, writable: true, enumerable: true, configurable: true });
  },
  configurable: true,
});

// The message has been received completely.
function endMessage(message, trailers) {
  message.complete = true;
  if (trailers !== undefined) message[kTrailerFields] = trailers;
  if (message[kInitialized]) message.push(null);
  else message[kEnded] = true;
}

// Whether the message is complete, and no program will notice that its body is not read.
function isBodyUnread(message) {
  return message[kEnded] && !message[kInitialized] && message[kStage] === Stage.NONE && !(message._eventsCount > 0);
}

function hasEmittedEnd(message) {
  return message[kInitialized] ? message.readableEnded : message[kStage] >= Stage.END_EMITTED;
}

// The steps of a message without a body, each in a tick of its own. A step of a message that has been
// initialized since is that of the Readable.
function resumeMessage(message) {
  const isPlain = message.emit === Readable.prototype.emit && message.read === Readable.prototype.read;
  if (message[kInitialized] || !message[kEnded] || !isPlain || message._events?.readable !== undefined) {
    message._readableState.resumeNow();
    return;
  }
  message[kStage] = Stage.ENDING;
  process.nextTick(emitEnd, message);
  if (message._events?.resume !== undefined) message.emit('resume');
}

function emitEnd(message) {
  if (message[kInitialized]) {
    message._readableState.emitReadable();
    message._readableState.emitEnd();
    return;
  }
  message[kStage] = Stage.END_EMITTED;
  message.emit('end');
  if (!message[kInitialized] || message._readableState.autoDestroy) message.destroy();
}

function setStage(message, stage) {
  message[kStage] = stage;
  if (message[kInitialized]) message._readableState.lifecycle.setDestroyState(stage - Stage.END_EMITTED, true);
}

function close(message) {
  setStage(message, Stage.CLOSED);
  process.nextTick(emitClose, message);
}

function emitClose(message) {
  setStage(message, Stage.CLOSE_EMITTED);
  if (!message[kInitialized] || message._readableState.emitClose) message.emit('close');
}

Object.defineProperty(IncomingMessage.prototype, 'client', {
  get() { return this.socket; },
  set(value) {
    Object.defineProperty(this, 'client', { value, writable: true, enumerable: true, configurable: true });
  },
  configurable: true,
});

Object.defineProperty(IncomingMessage.prototype, 'connection', {
  get() { return this.socket; },
  set(socket) { this.socket = socket; },
  configurable: true,
});

// Of these headers only the first value is used. The values of other headers are joined.
const SINGLE_VALUE_HEADERS = new Set([
  'age', 'authorization', 'content-length', 'content-type', 'etag', 'expires', 'from', 'host',
  'if-modified-since', 'if-unmodified-since', 'last-modified', 'location', 'max-forwards',
  'proxy-authorization', 'referer', 'retry-after', 'server', 'user-agent',
]);

function addHeader(field, value, headers) {
  const name = field.toLowerCase();
  const known = Object.hasOwn(headers, name) ? headers[name] : undefined;
  if (name === 'set-cookie') {
    if (known === undefined) headers[name] = [value];
    else known.push(value);
  } else if (known === undefined) {
    headers[name] = value;
  } else if (name === 'cookie') {
    headers[name] = `${known}; ${value}`;
  } else if (this.joinDuplicateHeaders || !SINGLE_VALUE_HEADERS.has(name)) {
    headers[name] = `${known}, ${value}`;
  }
}

function addDistinctHeader(field, value, headers) {
  (headers[field.toLowerCase()] ??= []).push(value);
}

function addHeaders(message, raw, method, headers) {
  const end = Math.min(raw.length, message[kHeadersCount]);
  for (let i = 0; i < end; i += 2) message[method](raw[i], raw[i + 1], headers);
  return headers;
}

// The fields as the parser passes them. They are split on first access.
const kFields = Symbol('fields');
const kTrailerFields = Symbol('trailerFields');
IncomingMessage.prototype[kFields] = IncomingMessage.prototype[kTrailerFields] = undefined;

// Properties that become own properties when they are accessed.
const LAZY = {
  rawHeaders: (message) => splitFields(message[kFields]),
  rawTrailers: (message) => splitFields(message[kTrailerFields]),
  httpVersionMajor: ({ [kVersion]: version }) => (version === 0 ? null : Math.floor(version / 10)),
  httpVersionMinor: ({ [kVersion]: version }) => (version === 0 ? null : version % 10),
  httpVersion: ({ [kVersion]: version }) => (version === 0 ? null : (version / 10).toFixed(1)),
};
for (const name in LAZY) {
  Object.defineProperty(IncomingMessage.prototype, name, {
    configurable: true,
    get() { return this[name] = LAZY[name](this); },
    set(value) {
      Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true });
    },
  });
}

// Computed from the raw headers on first access.
for (const source of ['headers', 'trailers']) {
  const raw = source === 'headers' ? 'rawHeaders' : 'rawTrailers';
  for (const isDistinct of [false, true]) {
    const name = isDistinct ? `${source}Distinct` : source;
    const method = isDistinct ? '_addHeaderLineDistinct' : '_addHeaderLine';
    const key = Symbol(name);
    IncomingMessage.prototype[key] = null;
    Object.defineProperty(IncomingMessage.prototype, name, {
      configurable: true,
      get() { return this[key] ??= addHeaders(this, this[raw], method, isDistinct ? { __proto__: null } : {}); },
      set(value) { this[key] = value; },
    });
  }
}

// Destroys the socket and calls `done` with its error, if there is one.
function destroySocket(socket, err, done) {
  socket.destroy(err);
  const stop = stream.finished(socket, (error) => {
    stop();
    const isPremature = error?.code === 'ERR_STREAM_PREMATURE_CLOSE';
    process.nextTick(done, (isPremature ? null : error) || err);
  });
}

Object.assign(IncomingMessage.prototype, {
  _addHeaderLines(lines, count) {
    addHeaders(this, lines.slice(0, count), '_addHeaderLine', this.complete ? this.trailers : this.headers);
  },
  _addHeaderLine: addHeader,
  _addHeaderLineDistinct: addDistinctHeader,

  setTimeout(time, listener) {
    if (listener) this.on('timeout', listener);
    this.socket.setTimeout(time);
    return this;
  },

  on(event, listener) {
    const isReader = event === 'readable' || (event === 'data' && this._events?.readable !== undefined);
    if (this[kInitialized] || isReader) return Readable.prototype.on.call(this, event, listener);
    stream.prototype.on.call(this, event, listener);
    if (event === 'data') this.resume();
    return this;
  },

  removeListener(event, listener) {
    const { prototype } = this[kInitialized] || event === 'readable' ? Readable : stream;
    return prototype.removeListener.call(this, event, listener);
  },

  resume() {
    if (this[kInitialized]) return Readable.prototype.resume.call(this);
    if (this[kStage] === Stage.NONE) {
      this[kStage] = Stage.RESUMED;
      process.nextTick(resumeMessage, this);
    }
    return this;
  },

  destroy(err, callback) {
    const isEnded = !this[kInitialized] && this[kStage] === Stage.END_EMITTED && this.complete && !this.aborted;
    if (!isEnded || err || callback !== undefined || this._destroy !== IncomingMessage.prototype._destroy) {
      return Readable.prototype.destroy.call(this, err, callback);
    }
    this[kStage] = Stage.DESTROYED;
    process.nextTick(close, this);
    return this;
  },

  _read() {
    const { _consumed, socket } = this;
    if (!_consumed) {
      this._consumed = true;
      this._readableState.readingMore = false;
    }
    if (socket?.readable && !socket._paused) socket.resume();
  },

  _destroy(err, cb) {
    const isRead = this.complete && this.readableEnded;
    if (!isRead) {
      this.aborted = true;
      this.emit('aborted');
    }
    // Without a listener of 'error' the error is dropped, as in Node.
    const done = (error) => cb(...(this.listenerCount('error') > 0 ? [error] : []));
    const { socket } = this;
    if (this.aborted && socket && !socket.destroyed) destroySocket(socket, err, done);
    else process.nextTick(done, err);
  },

  // Reads and discards the rest of the body.
  _dump() {
    if (this._dumped) return;
    this._dumped = true;
    // Buffered data must not be emitted.
    if (this[kInitialized]) this.removeAllListeners('data');
    else if (this._events?.data !== undefined) stream.prototype.removeAllListeners.call(this, 'data');
    this.resume();
  },
});
IncomingMessage.prototype.addListener = IncomingMessage.prototype.on;
IncomingMessage.prototype.off = IncomingMessage.prototype.removeListener;

module.exports = {
  IncomingMessage, endMessage, hasEmittedEnd, isBodyUnread, kFields, kHeadersCount, kVersion,
};
