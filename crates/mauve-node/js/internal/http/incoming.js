// http.IncomingMessage: a request that a server gets, or a response that a client gets.

const { Readable, finished } = require('stream');

const kHeaders = Symbol('headers');
const kHeadersDistinct = Symbol('headersDistinct');
const kTrailers = Symbol('trailers');
const kTrailersDistinct = Symbol('trailersDistinct');

function IncomingMessage(socket) {
  Readable.call(this, socket ? { highWaterMark: socket.readableHighWaterMark } : undefined);
  this._readableState.readingMore = true;
  this.socket = socket;
  this.httpVersionMajor = null;
  this.httpVersionMinor = null;
  this.httpVersion = null;
  this.complete = false;
  this[kHeaders] = null;
  this[kHeadersDistinct] = null;
  this.rawHeaders = [];
  this[kTrailers] = null;
  this[kTrailersDistinct] = null;
  this.rawTrailers = [];
  this.joinDuplicateHeaders = false;
  this.aborted = false;
  this.upgrade = null;
  this.url = '';
  this.method = null;
  this.statusCode = null;
  this.statusMessage = null;
  this.client = socket;
  this._consumed = false;
  this._dumped = false;
}
Object.setPrototypeOf(IncomingMessage.prototype, Readable.prototype);
Object.setPrototypeOf(IncomingMessage, Readable);

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

function collect(raw, joinAll) {
  const headers = {};
  for (let i = 0; i < raw.length; i += 2) {
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

function collectDistinct(raw) {
  const headers = { __proto__: null };
  for (let i = 0; i < raw.length; i += 2) {
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
    get() { return this[key] ??= make(this[raw], this.joinDuplicateHeaders); },
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

module.exports = { IncomingMessage, pauseSocket, resumeSocket };
