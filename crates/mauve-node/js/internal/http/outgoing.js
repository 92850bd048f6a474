// http.OutgoingMessage: a response that a server sends, or a request that a client sends.
//
// The head is built and sent with the first chunk of the body, or by end(). Until the socket is assigned to
// the message, the output is queued in outputData.

const { Buffer } = require('buffer');
const { Stream } = require('internal/streams/legacy');
const { StreamHandle } = require('internal/net/handle');
const { Duplex, getDefaultHighWaterMark } = require('stream');
const { codes, errnoException } = require('internal/errors');
const observers = require('internal/async_state');
const { kHeaders, kNeedDrain, kUniqueHeaders } = require('internal/http/common');
const { defineHeaderMethods } = require('internal/http/headers');

// The error that the message was destroyed with.
const kErrored = Symbol('errored');
const kHighWaterMark = Symbol('highWaterMark');
// The size of the body so far; counted only with strictContentLength.
const kBytesWritten = Symbol('bytesWritten');
// Whether a body where none is allowed is an error.
const kRejectBodyWrites = Symbol('rejectBodyWrites');
// How often the message was corked before it had a socket.
const kCorked = Symbol('corked');

const { utf8Length } = binding('buffer');
const { createEnd } = binding('http');

const DEFAULT_HIGH_WATER_MARK = getDefaultHighWaterMark(false);

// Fits into an empty send buffer of a socket.
const MAX_SINGLE_WRITE = 16 * 1024;

const noop = () => {};

// The emitter part is initialized when the first listener is added.
function OutgoingMessage(settings) {
  if (settings?.rejectNonStandardBodyWrites) {
    this[kRejectBodyWrites] = true;
    this._isPlain = false;
  }
  const mark = settings?.highWaterMark;
  if (mark !== undefined && mark !== DEFAULT_HIGH_WATER_MARK) this[kHighWaterMark] = mark;
}
Object.setPrototypeOf(OutgoingMessage.prototype, Stream.prototype);
Object.setPrototypeOf(OutgoingMessage, Stream);

// Initial values, on the prototype because most messages change only a few of them.
Object.assign(OutgoingMessage.prototype, {
  // State.
  writable: true, finished: false, destroyed: false, socket: null, outputSize: 0, _headerSent: false, _closed: false,
  [kCorked]: 0, [kErrored]: null, [kRejectBodyWrites]: false, [kHighWaterMark]: DEFAULT_HIGH_WATER_MARK,
  [kBytesWritten]: 0, [kNeedDrain]: false,

  // Properties of the head.
  _header: null, chunkedEncoding: false, sendDate: false, shouldKeepAlive: true, useChunkedEncodingByDefault: true,
  strictContentLength: false, maxRequestsOnConnectionReached: false, _contentLength: null, _defaultKeepAlive: true,
  _hasBody: true, _keepAliveTimeout: 0, _maxRequestsPerSocket: 0, _last: false, _trailer: '',
  [kHeaders]: null, [kUniqueHeaders]: null,

  // Whether the message has no queued output, is not corked, has not ended without a socket, and does not
  // reject bodies. If it is false, these are checked.
  _isPlain: true,

  // The Connection of a server, which is notified of queued bytes and of 'finish'.
  _connection: null,
});

defineHeaderMethods(OutgoingMessage.prototype, send);

// Initial values are found faster on the prototype itself than on that of OutgoingMessage.
function copyInitialValues(prototype) {
  for (const key of Reflect.ownKeys(OutgoingMessage.prototype)) {
    const { value } = Object.getOwnPropertyDescriptor(OutgoingMessage.prototype, key);
    if (value !== undefined && typeof value !== 'function') prototype[key] = value;
  }
}

// The queue is created when it is first accessed.
Object.defineProperty(OutgoingMessage.prototype, 'outputData', {
  configurable: true,
  get() { return Object.hasOwn(this, 'constructor') ? undefined : this.outputData = []; },
  set(value) {
    this._isPlain = false;
    Object.defineProperty(this, 'outputData', { value, writable: true, enumerable: true, configurable: true });
  },
});

const properties = {
  headersSent: (message) => Boolean(message._header),
  errored: (message) => message[kErrored],
  closed: (message) => message._closed,
  writableEnded: (message) => message.finished,
  writableFinished: (message) => message.finished && message.writableLength === 0,
  writableObjectMode: () => false,
  writableLength: ({ outputSize, socket }) => outputSize + (socket?.writableLength ?? 0),
  writableHighWaterMark: (message) => message.socket?.writableHighWaterMark ?? message[kHighWaterMark],
  writableCorked: (message) => (message.socket?.writableCorked ?? 0) + message[kCorked],
  writableNeedDrain: (message) => message[kNeedDrain] && !message.finished && !message.destroyed,
};

for (const name in properties) {
  const get = properties[name];
  Object.defineProperty(OutgoingMessage.prototype, name, {
    configurable: true,
    get() { return get(this); },
  });
}

// The deprecated name of `socket`.
Object.defineProperty(OutgoingMessage.prototype, 'connection', {
  configurable: true,
  get() { return this.socket; },
  set(socket) { this.socket = socket; },
});

// --- output --------------------------------------------------------------------------------------

// Whether the socket currently sends this message. A socket sends one message at a time.
function isCurrentMessage(message) {
  return message.socket?._httpMessage === message;
}

// Adds data to the output queue with `method` ('push' or 'unshift').
function queueOutput(message, method, data, encoding, callback) {
  message.outputData[method]({ data, encoding, callback });
  message.outputSize += data.length;
  message._connection?.onPendingData(data.length);
}

// Writes to the socket, or queues the data until there is one. Returns whether there is room for more.
function transmit(message, data, encoding, callback) {
  const { socket } = message;
  if (socket?.destroyed) return false;
  if (isCurrentMessage(message) && socket.writable) {
    if (!message._isPlain && message.outputData.length > 0) flushOutput(message);
    return socket.write(data, encoding, callback);
  }
  queueOutput(message, 'push', data, encoding, callback);
  return message[kHighWaterMark] > message.outputSize;
}

const CRLF = Buffer.from('\r\n');

const HEAD_ENCODINGS = new Set([undefined, null, '', 'utf8', 'latin1']);

// The same, but sends the head first if it has not been sent.
function send(message, data, encoding, callback) {
  if (!message._headerSent) {
    message._headerSent = true;
    if (typeof data === 'string' && HEAD_ENCODINGS.has(encoding)) data = (message._header ?? '') + data;
    else queueOutput(message, 'unshift', message._header, 'latin1', null);
  }
  return transmit(message, data, encoding, callback);
}

// Writes the queue to the socket, which is corked like the message. Returns whether there is room for more,
// or undefined if the queue was empty.
function flushOutput(message) {
  const { outputData: queued, socket } = message;
  for (; message[kCorked] > 0; message[kCorked]--) socket.cork();
  if (queued.length === 0) return undefined;
  let hasRoom = message.finished && queued.length === 1 && writeDirectly(socket, queued[0]);
  if (!hasRoom) {
    socket.cork();
    for (const entry of queued) hasRoom = socket.write(entry.data, entry.encoding, entry.callback);
    socket.uncork();
  }
  message.outputData = [];
  message._connection?.onPendingData(-message.outputSize);
  message.outputSize = 0;
  return hasRoom;
}

// Fast path: writes a short string, bypassing the stream of a connected socket that is idle. Returns whether it did.
function writeDirectly(socket, { data, encoding, callback }) {
  const { _handle: handle, _writableState: state } = socket;
  if (!(handle instanceof StreamHandle) || socket.connecting || socket.write !== Duplex.prototype.write ||
      state.length > 0 || state.corked > 0 || state.endState !== 0 || typeof data !== 'string' || !callback ||
      data.length > MAX_SINGLE_WRITE || !HEAD_ENCODINGS.has(encoding) || observers.tracker !== undefined) return false;
  const done = (errno) => {
    if (errno === 0) callback();
    else if (!socket.destroyed) socket.destroy(errnoException(errno, 'write'));
  };
  socket._idleTimer?.refresh();
  const result = handle.writeText(data, encoding === 'latin1', done);
  if (result <= 0) process.nextTick(done, result);
  return true;
}

// Called when a socket has been assigned to the message.
function flush(message) {
  if (message._isPlain) return;
  const isUnused = message.outputData.length === 0 && !message.finished && !message[kCorked];
  if ((isUnused && !message[kNeedDrain]) || !message.socket?.writable) return;
  const hasRoom = flushOutput(message);
  if (message.finished) {
    emitPrefinish(message);
  } else if (hasRoom && message[kNeedDrain]) {
    message[kNeedDrain] = false;
    message.emit('drain');
  }
}

// --- the body ------------------------------------------------------------------------------------

function sizeOf(chunk, encoding) {
  return typeof chunk === 'string' ? Buffer.byteLength(chunk, encoding) : chunk.byteLength;
}

// Calls the callback of the write and emits 'error', in the next tick.
function reportError(message, err, callback) {
  process.nextTick(() => {
    callback(err);
    if (!message.destroyed) message.emit('error', err);
  });
}

// Throws for an invalid chunk. Returns the error if the message has ended or is destroyed.
function writeError(message, chunk) {
  if (chunk === null) throw new codes.ERR_STREAM_NULL_VALUES();
  if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) {
    throw new codes.ERR_INVALID_ARG_TYPE('chunk', ['string', 'Buffer', 'Uint8Array'], chunk);
  }
  if (message.finished) return new codes.ERR_STREAM_WRITE_AFTER_END();
  return message.destroyed ? new codes.ERR_STREAM_DESTROYED('write') : null;
}

// Compares the length of the body with Content-Length.
function checkLength(message, size, isLast) {
  const expected = message._contentLength;
  const hasExpectedLength = typeof expected === 'number' && message._hasBody && !message.chunkedEncoding &&
    !message._removedContLen && !message.hasHeader('transfer-encoding');
  if (!hasExpectedLength) return;
  const total = message[kBytesWritten] + size;
  if (isLast ? total !== expected : total > expected) {
    throw new codes.ERR_HTTP_CONTENT_LENGTH_MISMATCH(total, expected);
  }
}

function writeChunk(message, chunk, encoding, callback, isLast) {
  const error = writeError(message, chunk);
  const done = typeof callback === 'function' ? callback : noop;
  if (error !== null) {
    if (message.destroyed) process.nextTick(done, error);
    else reportError(message, error, done);
    return false;
  }
  if (message.strictContentLength) {
    const size = sizeOf(chunk, encoding);
    checkLength(message, size, isLast);
    message[kBytesWritten] += size;
  }
  if (!message._header) {
    if (isLast) message._contentLength = sizeOf(chunk, encoding);
    message._implicitHeader();
  }
  if (!message._hasBody) {
    if (message[kRejectBodyWrites]) throw new codes.ERR_HTTP_BODY_NOT_ALLOWED();
    process.nextTick(done);
    return true;
  }
  if (!isLast) corkUntilNextTick(message.socket);
  const consumer = message.socket?._consumer;
  const isDecoded = typeof chunk === 'string' && encoding !== undefined && !HEAD_ENCODINGS.has(encoding);
  const isQueued = !isLast && !isDecoded && done === noop && consumer?.canQueue(message);
  const hasRoom = isQueued ? queueInSocket(message, chunk, encoding) : sendBody(message, chunk, encoding, done);
  if (!hasRoom) {
    message[kNeedDrain] = true;
    message._isPlain = false;
  }
  return hasRoom;
}

// Combines the writes of one tick.
function corkUntilNextTick(socket) {
  if (!socket || socket._writableState?.corked > 0) return;
  socket.cork();
  process.nextTick(uncork, socket);
}

const uncork = (socket) => socket.uncork();

function sendBody(message, chunk, encoding, callback) {
  // An empty chunk would end the body.
  if (!message.chunkedEncoding || chunk.length === 0) return send(message, chunk, encoding, callback);
  send(message, sizeOf(chunk, encoding).toString(16), 'latin1', null);
  send(message, CRLF, null, null);
  send(message, chunk, encoding, null);
  return send(message, CRLF, null, callback);
}

// Fast path: the same for a corked socket whose writes no program counts. They can be fewer.
function queueInSocket(message, chunk, encoding) {
  const state = message.socket._writableState;
  const isText = typeof chunk === 'string';
  let head = '';
  if (!message._headerSent) {
    message._headerSent = true;
    head = message._header ?? '';
  }
  const isChunked = message.chunkedEncoding && chunk.length > 0;
  const isUtf8 = encoding === undefined;
  if (isChunked) head += `${(isUtf8 && isText ? utf8Length(chunk) : sizeOf(chunk, encoding)).toString(16)}\r\n`;
  if (isText) {
    if (!isChunked) return state.enqueue(head + chunk, encoding);
    // ASCII is the same in all these encodings.
    if (utf8Length(head) === head.length) return state.enqueue(`${head}${chunk}\r\n`, encoding);
    state.enqueue(head, 'latin1');
    return state.enqueue(`${chunk}\r\n`, encoding);
  }
  if (head !== '') state.enqueue(head, 'latin1');
  const hasRoom = state.enqueue(chunk, 'buffer');
  return isChunked ? state.enqueue('\r\n', 'latin1') : hasRoom;
}

// --- the end -------------------------------------------------------------------------------------

function endMessage(message, chunk, encoding, callback) {
  const consumer = message.socket?._consumer;
  if (consumer && endInOneWrite(message, consumer, chunk, encoding, callback)) return;
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
  if (!message.socket) message._isPlain = false;
  if (!message._isPlain) message[kCorked] = 0;
  message.finished = true;
  if ((message._isPlain || message.outputData.length === 0) && isCurrentMessage(message)) emitPrefinish(message);
}

// end() on a message that has ended: a chunk is an error, a callback waits for 'finish'.
function endAgain(message, chunk, callback) {
  const hasCallback = typeof callback === 'function';
  if (chunk) {
    if (!message.destroyed) reportError(message, new codes.ERR_STREAM_WRITE_AFTER_END(), hasCallback ? callback : noop);
  } else if (hasCallback && message.writableFinished) {
    callback(new codes.ERR_STREAM_ALREADY_FINISHED('end'));
  } else if (hasCallback) {
    message.on('finish', callback);
  }
}

// Sends the end of the body, or an empty write, whose callback reports that everything was written.
function sendEnd(message, hadChunk) {
  const done = () => onFinish(message);
  const isChunked = message._hasBody && message.chunkedEncoding;
  const isWritten = message._headerSent && !hadChunk && message.writableLength === 0;
  if (isChunked) send(message, `0\r\n${message._trailer}\r\n`, 'latin1', done);
  else if (isWritten) process.nextTick(done);
  else send(message, '', 'latin1', done);
}

// Fast path: writes the head and a short body with one native write, bypassing the stream, if no output but
// that of the same tick is pending. Returns whether it did. The binding does it for most strings.
function endInOneWrite(message, consumer, chunk, encoding, callback) {
  const { socket } = message;
  if (message.finished || message.destroyed || message.strictContentLength || !message._isPlain ||
      socket._httpMessage !== message || !HEAD_ENCODINGS.has(encoding)) return false;
  const body = chunk ?? '';
  const isText = typeof body === 'string';
  const isContinued = message._headerSent;
  if ((!isText && !(body instanceof Uint8Array)) || body.length > MAX_SINGLE_WRITE) return false;
  if (!consumer.canWrite(socket, isContinued)) return false;
  const parts = isContinued ? socket._writableState.takeChunks(noop) : [];
  if (parts === null) return false;
  const isUtf8 = isText && encoding !== 'latin1';
  const size = isUtf8 ? utf8Length(body) : body.length;
  if (!isContinued && !message._header) {
    message._contentLength = size;
    try {
      message._implicitHeader();
    } catch (err) {
      socket.cork();
      throw err;
    }
  }
  const hasBody = message._hasBody && size > 0;
  const isChunked = message._hasBody && message.chunkedEncoding;
  // Text and the head before it are encoded together.
  if (!isContinued) parts.push(message._header, isUtf8 && hasBody && !isChunked ? 'utf8' : 'latin1');
  if (isChunked && hasBody) parts.push(`${size.toString(16)}\r\n`, 'latin1');
  if (hasBody) parts.push(body, isUtf8 ? 'utf8' : 'latin1');
  if (isChunked) parts.push(`${hasBody ? '\r\n' : ''}0\r\n${message._trailer}\r\n`, 'latin1');
  if (typeof callback === 'function') message.once('finish', callback);
  message._headerSent = message.finished = true;
  consumer.writeAll(socket, parts, message);
  emitPrefinish(message);
  return true;
}

// end() was called. Here and below the listeners are counted first, because most messages have none and
// emit() is slow.
function emitPrefinish(message) {
  if (message._eventsCount > 0) message.emit('prefinish');
}

function onFinish(message) {
  if (message.socket?._hadError) return;
  message._connection?.onFinish(message.req, message);
  if (message._eventsCount > 0) message.emit('finish');
}

// Calls `action` with the socket, now or when it is assigned.
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

  // The arguments before the callback are optional.
  end: createEnd(function end(chunk, encoding, callback) {
    if (typeof chunk === 'function') endMessage(this, null, null, chunk);
    else if (typeof encoding === 'function') endMessage(this, chunk, null, encoding);
    else endMessage(this, chunk, encoding, callback);
    return this;
  }, onFinish, process),

  cork() {
    this._isPlain = false;
    if (this.socket) this.socket.cork();
    else this[kCorked] += 1;
  },

  uncork() {
    if (this.socket) this.socket.uncork();
    else if (this[kCorked] > 0) this[kCorked] -= 1;
  },

  setTimeout(msecs, listener) {
    if (listener) this.on('timeout', listener);
    return withSocket(this, (socket) => socket.setTimeout(msecs));
  },

  destroy(error) {
    if (this.destroyed) return this;
    this.destroyed = true;
    this[kErrored] = error;
    return withSocket(this, (socket) => socket.destroy(error));
  },

  _send(data, encoding, callback) { return send(this, data, encoding, callback); },

  _writeRaw(data, encoding, callback) {
    return typeof encoding === 'function' ? transmit(this, data, null, encoding) :
      transmit(this, data, encoding, callback);
  },

  pipe() { this.emit('error', new codes.ERR_STREAM_CANNOT_PIPE()); },

  [Symbol.for('nodejs.rejection')](error) {
    this.destroy(error);
  },
});

module.exports = { DEFAULT_HIGH_WATER_MARK, OutgoingMessage, copyInitialValues, flush, onFinish, transmit, withSocket };
