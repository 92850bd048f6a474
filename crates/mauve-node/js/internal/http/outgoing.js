// http.OutgoingMessage: a response that a server gives, or a request that a client makes.
//
// The head is made when the first part of the body is written, or at the end, and leaves together
// with it. Until the message has a socket of its own to write to, everything is kept in outputData.

const { Buffer } = require('buffer');
const { Stream } = require('internal/streams/legacy');
const { getDefaultHighWaterMark } = require('stream');
const { codes } = require('internal/errors');
const { kFields, kJoined, kStalled } = require('internal/http/common');
const head = require('internal/http/head');

const { kRemoved } = head;

// The error that the message was destroyed with.
const kFault = Symbol('fault');
const kMark = Symbol('mark');
// Bytes of the body so far, counted only for those who want their length to be checked.
const kSent = Symbol('sent');
// How often the message was corked before it had a socket.
const kCorks = Symbol('corks');

const ignore = () => {};

function OutgoingMessage(settings) {
  Stream.call(this);
  this.outputData = [];
  this.finished = false;
  this._header = null;
  this.socket = null;
  if (settings?.highWaterMark !== undefined) this[kMark] = settings.highWaterMark;
}
Object.setPrototypeOf(OutgoingMessage.prototype, Stream.prototype);
Object.setPrototypeOf(OutgoingMessage, Stream);

// What a message begins with. Few messages change all of it.
Object.assign(OutgoingMessage.prototype, {
  // How it stands.
  writable: true,
  destroyed: false,
  outputSize: 0,
  _headerSent: false,
  _closed: false,
  [kCorks]: 0,
  [kFault]: null,
  [kMark]: getDefaultHighWaterMark(false),
  [kSent]: 0,
  [kStalled]: false,

  // What its head will say.
  chunkedEncoding: false,
  sendDate: false,
  shouldKeepAlive: true,
  useChunkedEncodingByDefault: true,
  strictContentLength: false,
  maxRequestsOnConnectionReached: false,
  _contentLength: null,
  _defaultKeepAlive: true,
  _hasBody: true,
  _keepAliveTimeout: 0,
  _last: false,
  _trailer: '',
  [kFields]: null,
  [kJoined]: null,

  // The server's side of the connection, which wants to know how it goes.
  _connection: null,
});

head.install(OutgoingMessage.prototype, send);

const facts = {
  headersSent: (message) => Boolean(message._header),
  errored: (message) => message[kFault],
  closed: (message) => message._closed,
  writableEnded: (message) => message.finished,
  writableFinished: (message) => message.finished && message.writableLength === 0,
  writableObjectMode: () => false,
  writableLength: ({ outputSize, socket }) => outputSize + (socket?.writableLength ?? 0),
  writableHighWaterMark: (message) => message.socket?.writableHighWaterMark ?? message[kMark],
  writableCorked: (message) => message[kCorks] || (message.socket?.writableCorked ?? 0),
  writableNeedDrain: (message) => message[kStalled] && !message.finished && !message.destroyed,
};

for (const name in facts) {
  const tell = facts[name];
  Object.defineProperty(OutgoingMessage.prototype, name, {
    configurable: true,
    get() { return tell(this); },
  });
}

// The old name of the socket.
Object.defineProperty(OutgoingMessage.prototype, 'connection', {
  configurable: true,
  get() { return this.socket; },
  set(socket) { this.socket = socket; },
});

// --- the way out ---------------------------------------------------------------------------------

// Whether what is written can go to the socket: it serves one message after the other.
function isServed(message) {
  return message.socket?._httpMessage === message;
}

// Keeps a piece for later.
function keep(message, place, data, encoding, callback) {
  message.outputData[place]({ data, encoding, callback });
  message.outputSize += data.length;
  message._connection?.onPendingData(data.length);
}

// Writes to the socket, or keeps it for when there is one. Returns whether there is room for more.
function transmit(message, data, encoding, callback) {
  const { socket } = message;
  if (socket?.destroyed) return false;
  if (isServed(message) && socket.writable) {
    if (message.outputData.length > 0) writeKept(message);
    return socket.write(data, encoding, callback);
  }
  keep(message, 'push', data, encoding, callback);
  return message[kMark] > message.outputSize;
}

const ONE_TEXT_WITH_HEAD = new Set([undefined, null, '', 'utf8', 'latin1']);

// The same, with the head before it if that has not left yet.
function send(message, data, encoding, callback) {
  if (!message._headerSent) {
    message._headerSent = true;
    if (typeof data === 'string' && ONE_TEXT_WITH_HEAD.has(encoding)) data = message._header + data;
    else keep(message, 'unshift', message._header, 'latin1', null);
  }
  return transmit(message, data, encoding, callback);
}

// Writes what was kept, and corks the socket as the message was. Returns whether there is room for
// more, if anything was written.
function writeKept(message) {
  const { outputData: kept, socket } = message;
  for (; message[kCorks] > 0; message[kCorks]--) socket.cork();
  if (kept.length === 0) return undefined;
  socket.cork();
  let hasRoom;
  for (const piece of kept) hasRoom = socket.write(piece.data, piece.encoding, piece.callback);
  socket.uncork();
  message.outputData = [];
  const written = message.outputSize;
  message._connection?.onPendingData(-written);
  message.outputSize = 0;
  return hasRoom;
}

// The message has got a socket.
function flush(message) {
  const isFresh = message.outputData.length === 0 && !message.finished && !message[kCorks];
  if ((isFresh && !message[kStalled]) || !message.socket?.writable) return;
  const hasRoom = writeKept(message);
  if (message.finished) {
    announceEnd(message);
  } else if (hasRoom && message[kStalled]) {
    message[kStalled] = false;
    message.emit('drain');
  }
}

// --- the body ------------------------------------------------------------------------------------

function sizeOf(chunk, encoding) {
  return typeof chunk === 'string' ? Buffer.byteLength(chunk, encoding) : chunk.byteLength;
}

// Tells the writer, and everybody unless the message is gone.
function fail(message, err, callback) {
  process.nextTick(() => {
    callback(err);
    if (!message.destroyed) message.emit('error', err);
  });
}

// Throws for what can never be written; returns the error for what cannot be written any more.
function objectionTo(message, chunk) {
  if (chunk === null) throw new codes.ERR_STREAM_NULL_VALUES();
  if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) {
    throw new codes.ERR_INVALID_ARG_TYPE('chunk', ['string', 'Buffer', 'Uint8Array'], chunk);
  }
  if (message.finished) return new codes.ERR_STREAM_WRITE_AFTER_END();
  return message.destroyed ? new codes.ERR_STREAM_DESTROYED('write') : null;
}

// Compares the length of the body with the one that was promised.
function checkLength(message, size, isLast) {
  const promised = message._contentLength;
  const isPromised = typeof promised === 'number' && message._hasBody && !message.chunkedEncoding &&
    !message[kRemoved]?.has('content-length') && !message.hasHeader('transfer-encoding');
  if (!isPromised) return;
  const total = message[kSent] + size;
  if (total > promised || (isLast && total < promised)) {
    throw new codes.ERR_HTTP_CONTENT_LENGTH_MISMATCH(total, promised);
  }
}

function writeChunk(message, chunk, encoding, callback, isLast) {
  const objection = objectionTo(message, chunk);
  const done = typeof callback === 'function' ? callback : ignore;
  if (objection !== null) {
    if (message.destroyed) process.nextTick(done, objection);
    else fail(message, objection, done);
    return false;
  }
  if (message.strictContentLength) {
    const size = sizeOf(chunk, encoding);
    checkLength(message, size, isLast);
    message[kSent] += size;
  }
  if (!message._header) {
    if (isLast) message._contentLength = sizeOf(chunk, encoding);
    message._implicitHeader();
  }
  if (!message._hasBody) {
    process.nextTick(done);
    return true;
  }
  if (!isLast) corkForNow(message.socket);
  const hasRoom = sendBody(message, chunk, encoding, done);
  if (!hasRoom) message[kStalled] = true;
  return hasRoom;
}

// What is written in one go leaves in one go.
function corkForNow(socket) {
  if (!socket || socket.writableCorked) return;
  socket.cork();
  process.nextTick(() => socket.uncork());
}

function sendBody(message, chunk, encoding, callback) {
  // An empty chunk would be the last one.
  if (!message.chunkedEncoding || chunk.length === 0) return send(message, chunk, encoding, callback);
  send(message, `${sizeOf(chunk, encoding).toString(16)}\r\n`, 'latin1', null);
  send(message, chunk, encoding, null);
  return send(message, '\r\n', 'latin1', callback);
}

// --- the end -------------------------------------------------------------------------------------

function endMessage(message, chunk, encoding, callback) {
  if (leaveAtOnce(message, chunk, encoding, callback)) return;
  if (message.finished) {
    endAgain(message, chunk, callback);
    return;
  }
  if (chunk) {
    message.socket?.cork();
    writeChunk(message, chunk, encoding, null, true);
  } else if (!message._header) {
    message.socket?.cork();
    message._contentLength = 0;
    message._implicitHeader();
  }
  if (typeof callback === 'function') message.once('finish', callback);
  if (message.strictContentLength) checkLength(message, 0, true);
  sendEnd(message, Boolean(chunk));
  while (message.socket?.writableCorked > 0) message.socket.uncork();
  message[kCorks] = 0;
  message.finished = true;
  if (message.outputData.length === 0 && isServed(message)) announceEnd(message);
}

// Nothing can be added to a message that has ended; its end can still be waited for.
function endAgain(message, chunk, callback) {
  const hasCallback = typeof callback === 'function';
  if (chunk) {
    fail(message, new codes.ERR_STREAM_WRITE_AFTER_END(), hasCallback ? callback : ignore);
  } else if (hasCallback && message.writableFinished) {
    callback(new codes.ERR_STREAM_ALREADY_FINISHED('end'));
  } else if (hasCallback) {
    message.on('finish', callback);
  }
}

// Sends what a message ends with, if only to learn when all before it is gone.
function sendEnd(message, hadChunk) {
  const done = () => onFinish(message);
  const isChunked = message._hasBody && message.chunkedEncoding;
  const isGone = message._headerSent && !hadChunk && message.writableLength === 0;
  if (isChunked) send(message, `0\r\n${message._trailer}\r\n`, 'latin1', done);
  else if (isGone) process.nextTick(done);
  else send(message, '', 'latin1', done);
}

// Fits into the buffer of a socket that has nothing else to send.
const MAX_AT_ONCE = 16 * 1024;

// A whole message that is a text and not too long leaves in one piece, past the stream of its socket,
// if nothing is before it. Returns whether that was done.
function leaveAtOnce(message, chunk, encoding, callback) {
  const { socket } = message;
  if (!socket?._feed || message.finished || message._headerSent || message.destroyed ||
      message.outputData.length > 0 || socket._httpMessage !== message ||
      message.strictContentLength || !ONE_TEXT_WITH_HEAD.has(encoding)) return false;
  const body = chunk ?? '';
  if (typeof body !== 'string' || body.length > MAX_AT_ONCE || !socket._feed.canWrite()) return false;
  const isLatin1 = encoding === 'latin1';
  const size = isLatin1 ? body.length : Buffer.byteLength(body);
  if (!message._header) {
    message._contentLength = size;
    message._implicitHeader();
  }
  let text = message._header;
  if (message._hasBody && message.chunkedEncoding) {
    if (size > 0) text += `${size.toString(16)}\r\n${body}\r\n`;
    text += `0\r\n${message._trailer}\r\n`;
  } else if (message._hasBody) {
    text += body;
  }
  if (typeof callback === 'function') message.once('finish', callback);
  message._headerSent = message.finished = true;
  socket._feed.write(text, isLatin1, message);
  announceEnd(message);
  return true;
}

// Everybody has written; not everything is gone. Here and below listeners are counted first, for most
// messages have none and emitting costs.
function announceEnd(message) {
  if (message._eventsCount > 0) message.emit('prefinish');
}

function onFinish(message) {
  if (message.socket?._hadError) return;
  message._connection?.onFinish(message.req, message);
  if (message._eventsCount > 0) message.emit('finish');
}

// Does something with the socket, now or when there is one.
function withSocket(message, action) {
  if (message.socket) action(message.socket);
  else message.once('socket', action);
  return message;
}

Object.assign(OutgoingMessage.prototype, {
  write(chunk, encoding, callback) {
    return typeof encoding === 'function' ? writeChunk(this, chunk, null, encoding, false) :
      writeChunk(this, chunk, encoding, callback, false);
  },

  // The callback may come in any place.
  end(chunk, encoding, callback) {
    if (typeof chunk === 'function') endMessage(this, null, null, chunk);
    else if (typeof encoding === 'function') endMessage(this, chunk, null, encoding);
    else endMessage(this, chunk, encoding, callback);
    return this;
  },

  cork() {
    this[kCorks] += 1;
    this.socket?.cork();
  },

  uncork() {
    this[kCorks] -= 1;
    this.socket?.uncork();
  },

  setTimeout(msecs, listener) {
    if (listener) this.on('timeout', listener);
    return withSocket(this, (socket) => socket.setTimeout(msecs));
  },

  destroy(error) {
    if (this.destroyed) return this;
    this.destroyed = true;
    this[kFault] = error ?? null;
    return withSocket(this, (socket) => socket.destroy(error));
  },

  pipe() {
    this.emit('error', new codes.ERR_STREAM_CANNOT_PIPE());
  },

  [Symbol.for('nodejs.rejection')](error) {
    this.destroy(error);
  },
});

module.exports = { OutgoingMessage, flush, onFinish, transmit, withSocket };
