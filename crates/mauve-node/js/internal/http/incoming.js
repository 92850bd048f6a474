// http.IncomingMessage: a request that a server gets, or a response that a client gets.

const stream = require('stream');

const { Readable } = stream;

// How many headers count, names and values each.
const kHeadersCount = Symbol('headersCount');

function IncomingMessage(socket) {
  this.socket = socket;
  this.rawHeaders = NOTHING;
}
Object.setPrototypeOf(IncomingMessage.prototype, Readable.prototype);
Object.setPrototypeOf(IncomingMessage, Readable);

const NOTHING = Object.freeze([]);

// What a message begins with. Few messages change all of it.
Object.assign(IncomingMessage.prototype, {
  httpVersionMajor: null,
  httpVersionMinor: null,
  httpVersion: null,
  complete: false,
  [kHeadersCount]: Infinity,
  rawTrailers: NOTHING,
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

// Most requests have no body, and nobody looks for one: the stream in a message is made when
// something of it is asked for.
Object.defineProperty(IncomingMessage.prototype, '_readableState', {
  get() {
    // Asked of the prototype itself, there is no message.
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

// Everything has come.
function endMessage(message) {
  message.complete = true;
  if (Object.hasOwn(message, '_readableState')) message.push(null);
  else message[kEnded] = true;
}

// Whether nobody has ever asked for the body of a message, which has come and is empty.
function isUntouched(message) {
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

// Of headers that may come once, the first counts; the others are joined.
const SINGLE = new Set([
  'age', 'authorization', 'content-length', 'content-type', 'etag', 'expires', 'from', 'host',
  'if-modified-since', 'if-unmodified-since', 'last-modified', 'location', 'max-forwards',
  'proxy-authorization', 'referer', 'retry-after', 'server', 'user-agent',
]);

function collect(raw, joinAll, count) {
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
    } else if (joinAll || !SINGLE.has(name)) {
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

// Made of the raw ones when they are asked for.
for (const source of ['headers', 'trailers']) {
  const raw = source === 'headers' ? 'rawHeaders' : 'rawTrailers';
  for (const [name, make] of [[source, collect], [`${source}Distinct`, collectDistinct]]) {
    const key = Symbol(name);
    IncomingMessage.prototype[key] = null;
    Object.defineProperty(IncomingMessage.prototype, name, {
      configurable: true,
      get() { return this[key] ??= make(this[raw], this.joinDuplicateHeaders, this[kHeadersCount]); },
      set(value) { this[key] = value; },
    });
  }
}

// A socket whose bytes go straight to the parser is stopped and started at its handle.
function resumeSocket(socket) {
  if (socket._feed) socket._feed.resume();
  else socket.resume();
}

function pauseSocket(socket) {
  if (socket._feed) socket._feed.pause();
  else socket.pause();
}

// Ends the socket as well, and says in the end with what error, if any, it did.
function destroySocket(socket, err, done) {
  socket.destroy(err);
  const stop = stream.finished(socket, (error) => {
    stop();
    const isExpected = error?.code === 'ERR_STREAM_PREMATURE_CLOSE';
    process.nextTick(done, (isExpected ? null : error) || err);
  });
}

Object.assign(IncomingMessage.prototype, {
  setTimeout(time, listener) {
    if (listener) this.on('timeout', listener);
    this.socket.setTimeout(time);
    return this;
  },

  _read() {
    const { _consumed: isKnown, socket } = this;
    if (!isKnown) {
      this._consumed = true;
      this._readableState.readingMore = false;
    }
    if (socket?.readable && !socket._paused) resumeSocket(socket);
  },

  _destroy(err, cb) {
    const isWhole = this.complete && this.readableEnded;
    if (!isWhole) {
      this.aborted = true;
      this.emit('aborted');
    }
    // An error that nobody listens for is kept quiet, as it always was.
    const done = (error) => cb(...(this.listenerCount('error') > 0 ? [error] : []));
    const { socket } = this;
    if (this.aborted && socket && !socket.destroyed) destroySocket(socket, err, done);
    else process.nextTick(done, err);
  },

  // Takes the rest off the wire, for nobody.
  _dump() {
    if (this._dumped) return;
    this._dumped = true;
    this.resume();
  },
});

module.exports = {
  IncomingMessage, endMessage, isUntouched, kHeadersCount, pauseSocket, resumeSocket,
};
