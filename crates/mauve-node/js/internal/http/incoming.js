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

// Most requests have no body, and most programs do not read it. The Readable part of a message is
// therefore initialized on first access.
Object.defineProperty(IncomingMessage.prototype, '_readableState', {
  get() {
    // Accessed on the prototype itself.
    if (!Object.hasOwn(this, 'socket')) return undefined;
    const { socket } = this;
    Readable.call(this, socket ? { highWaterMark: socket.readableHighWaterMark } : undefined);
    this._readableState.readingMore = true;
    if (this[kEnded]) this.push(null);
    return this._readableState;
  },
  set(state) {
    Object.defineProperty(this, '_readableState',
      { value: state, writable: true, enumerable: true, configurable: true });
  },
  configurable: true,
});

const kEnded = Symbol('ended');
IncomingMessage.prototype[kEnded] = false;

// The message has been received completely.
function endMessage(message, trailers) {
  message.complete = true;
  if (trailers !== undefined) message[kTrailerFields] = trailers;
  if (Object.hasOwn(message, '_readableState')) message.push(null);
  else message[kEnded] = true;
}

// Whether the message is complete and its body has never been accessed.
function isBodyUnread(message) {
  return message[kEnded] && !Object.hasOwn(message, '_readableState');
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
    this.removeAllListeners('data');
    this.resume();
  },
});

module.exports = {
  IncomingMessage, endMessage, isBodyUnread, kFields, kHeadersCount, kVersion,
};
