// http.IncomingMessage: a request that a server receives, or a response that a client receives.

const stream = require('stream');

const { Readable } = stream;

// The limit of entries in rawHeaders: two per header.
const kHeadersCount = Symbol('headersCount');

function IncomingMessage(socket) {
  this.socket = socket;
  this.rawHeaders = EMPTY;
}
Object.setPrototypeOf(IncomingMessage.prototype, Readable.prototype);
Object.setPrototypeOf(IncomingMessage, Readable);

const EMPTY = Object.freeze([]);

// Initial values, on the prototype because most messages change only a few of them.
Object.assign(IncomingMessage.prototype, {
  httpVersionMajor: null,
  httpVersionMinor: null,
  httpVersion: null,
  complete: false,
  [kHeadersCount]: Infinity,
  rawTrailers: EMPTY,
  joinDuplicateHeaders: false,
  aborted: false,
  upgrade: null,
  url: '',
  method: null,
  statusCode: null,
  statusMessage: null,
  _consumed: false,
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
function endMessage(message) {
  message.complete = true;
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

function joinHeaders(raw, joinAll, count) {
  const headers = {};
  const end = Math.min(raw.length, count);
  for (let i = 0; i < end; i += 2) {
    const name = raw[i].toLowerCase();
    const value = raw[i + 1];
    const known = headers[name];
    if (name === 'set-cookie') {
      if (known === undefined) headers[name] = [value];
      else known.push(value);
    } else if (known === undefined) {
      headers[name] = value;
    } else if (name === 'cookie') {
      headers[name] = `${known}; ${value}`;
    } else if (joinAll || !SINGLE_VALUE_HEADERS.has(name)) {
      headers[name] = `${known}, ${value}`;
    }
  }
  return headers;
}

function collectDistinct(raw, joinAll, count) {
  const headers = { __proto__: null };
  const end = Math.min(raw.length, count);
  for (let i = 0; i < end; i += 2) {
    const name = raw[i].toLowerCase();
    (headers[name] ??= []).push(raw[i + 1]);
  }
  return headers;
}

// Computed from the raw headers on first access.
for (const source of ['headers', 'trailers']) {
  const raw = source === 'headers' ? 'rawHeaders' : 'rawTrailers';
  for (const [name, make] of [[source, joinHeaders], [`${source}Distinct`, collectDistinct]]) {
    const key = Symbol(name);
    IncomingMessage.prototype[key] = null;
    Object.defineProperty(IncomingMessage.prototype, name, {
      configurable: true,
      get() { return this[key] ??= make(this[raw], this.joinDuplicateHeaders, this[kHeadersCount]); },
      set(value) { this[key] = value; },
    });
  }
}

// If a SocketConsumer reads from the handle, it is paused instead of the stream.
function resumeSocket(socket) {
  if (socket._consumer) socket._consumer.resume();
  else socket.resume();
}

function pauseSocket(socket) {
  if (socket._consumer) socket._consumer.pause();
  else socket.pause();
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
    if (socket?.readable && !socket._paused) resumeSocket(socket);
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
    this.resume();
  },
});

module.exports = {
  IncomingMessage, endMessage, isBodyUnread, kHeadersCount, pauseSocket, resumeSocket,
};
