// http.IncomingMessage: a request that a server gets, or a response that a client gets.

const { Readable, finished } = require('stream');

const kHeaders = Symbol('headers');
// How many headers count, names and values each.
const kHeadersCount = Symbol('headersCount');
const kHeadersDistinct = Symbol('headersDistinct');
const kTrailers = Symbol('trailers');
const kTrailersDistinct = Symbol('trailersDistinct');

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
  [kHeaders]: null,
  [kHeadersDistinct]: null,
  [kHeadersCount]: Infinity,
  [kTrailers]: null,
  [kTrailersDistinct]: null,
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

// Made when they are asked for.
for (const [name, key, raw, make] of [
  ['headers', kHeaders, 'rawHeaders', collect],
  ['headersDistinct', kHeadersDistinct, 'rawHeaders', collectDistinct],
  ['trailers', kTrailers, 'rawTrailers', collect],
  ['trailersDistinct', kTrailersDistinct, 'rawTrailers', collectDistinct],
]) {
  Object.defineProperty(IncomingMessage.prototype, name, {
    get() { return this[key] ??= make(this[raw], this.joinDuplicateHeaders, this[kHeadersCount]); },
    set(value) { this[key] = value; },
    configurable: true,
  });
}

IncomingMessage.prototype.setTimeout = function setTimeout(msecs, callback) {
  if (callback) this.on('timeout', callback);
  this.socket.setTimeout(msecs);
  return this;
};

IncomingMessage.prototype._read = function _read() {
  if (!this._consumed) {
    this._readableState.readingMore = false;
    this._consumed = true;
  }
  const { socket } = this;
  if (socket?.readable && !socket._paused) resumeSocket(socket);
};

// A socket whose bytes go straight to the parser is stopped and started at its handle.
function resumeSocket(socket) {
  if (socket._feed) socket._feed.resume();
  else socket.resume();
}

function pauseSocket(socket) {
  if (socket._feed) socket._feed.pause();
  else socket.pause();
}

IncomingMessage.prototype._destroy = function _destroy(err, cb) {
  if (!this.readableEnded || !this.complete) {
    this.aborted = true;
    this.emit('aborted');
  }
  const done = (error) => {
    // An error that nobody listens for is kept quiet, as it always was.
    if (this.listenerCount('error') === 0) cb();
    else cb(error);
  };
  const { socket } = this;
  if (socket && !socket.destroyed && this.aborted) {
    socket.destroy(err);
    const cleanup = finished(socket, (error) => {
      if (error?.code === 'ERR_STREAM_PREMATURE_CLOSE') error = null;
      cleanup();
      process.nextTick(done, error || err);
    });
  } else {
    process.nextTick(done, err);
  }
};

// Takes the rest off the wire, for nobody.
IncomingMessage.prototype._dump = function _dump() {
  if (this._dumped) return;
  this._dumped = true;
  this.resume();
};

module.exports = {
  IncomingMessage, endMessage, isUntouched, kHeadersCount, pauseSocket, resumeSocket,
};
