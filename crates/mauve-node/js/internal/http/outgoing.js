// http.OutgoingMessage: a response that a server sends, or a request that a client sends.
//
// The head is built and sent with the first chunk of the body, or by end(). Until the socket is assigned to
// the message, the output is queued in outputData.
const { Buffer } = require('buffer');
const { Stream } = require('internal/streams/legacy');
const { getDefaultHighWaterMark } = require('stream');
const { codes } = require('internal/errors');
const { kHeaders, kState, kUniqueHeaders, state: bits } = require('internal/http/common');
const { defineHeaderMethods } = require('internal/http/headers');
const { defineGetters } = require('internal/util/getters');

const {
  CHUNKED, CHUNKED_BY_DEFAULT, CLOSED, DESTROYED, FINISHED, HAS_BODY, HEAD_SENT, KEEP_ALIVE, KEEP_ALIVE_FIELD, LAST,
  MAX_REQUESTS, NEED_DRAIN, QUEUED, REJECT_BODY, REMOVED_CONNECTION, REMOVED_ENCODING, REMOVED_LENGTH, SEND_DATE,
  STRICT_LENGTH, WRITTEN,
} = bits;

// The error that the message was destroyed with.
const kErrored = Symbol('errored');
const kHighWaterMark = Symbol('highWaterMark');
// The size of the body so far; counted only with strictContentLength.
const kBytesWritten = Symbol('bytesWritten');
// How often the message is corked, and the parts of a chunked body that it buffers meanwhile: [data, encoding,
// callback, ...] and their size. They are sent as one chunk.
const kCorked = Symbol('corked');
const kParts = Symbol('parts');
const kPartsSize = Symbol('partsSize');
// The callbacks of end(), which are called before 'finish'.
const kEndCallbacks = Symbol('endCallbacks');
const { utf8Length } = binding('buffer');
const DEFAULT_HIGH_WATER_MARK = getDefaultHighWaterMark(false);

// Fits into an empty send buffer of a socket.
const MAX_SINGLE_WRITE = 16 * 1024;
// The size of a chunk of that length and its line ends.
const MAX_FRAMING = 8;
const noop = () => {};

// The emitter part is initialized when the first listener is added.
function OutgoingMessage(settings) {
  if (settings?.rejectNonStandardBodyWrites) this[kState] |= REJECT_BODY | QUEUED;
  const mark = settings?.highWaterMark;
  if (mark !== undefined && mark !== DEFAULT_HIGH_WATER_MARK) this[kHighWaterMark] = mark;
}
Object.setPrototypeOf(OutgoingMessage.prototype, Stream.prototype);
Object.setPrototypeOf(OutgoingMessage, Stream);

// Initial values, on the prototype because most messages change only a few of them.
Object.assign(OutgoingMessage.prototype, {
  // The bits of binding('http').state.
  [kState]: HAS_BODY | KEEP_ALIVE | CHUNKED_BY_DEFAULT | KEEP_ALIVE_FIELD,
  writable: true, socket: null, outputSize: 0, [kCorked]: 0, [kParts]: null, [kPartsSize]: 0,
  [kEndCallbacks]: null, [kErrored]: null, [kBytesWritten]: 0,
  [kHighWaterMark]: DEFAULT_HIGH_WATER_MARK, _header: null, _contentLength: null, _keepAliveTimeout: 0,
  _maxRequestsPerSocket: 0, _trailer: '', [kHeaders]: null, [kUniqueHeaders]: null,
  // The Connection of a server, which is notified of queued bytes and of 'finish'.
  _connection: null,
});

// Node's names of the bits.
const PROPERTIES = {
  finished: FINISHED, destroyed: DESTROYED, _closed: CLOSED, _headerSent: HEAD_SENT, chunkedEncoding: CHUNKED,
  sendDate: SEND_DATE, shouldKeepAlive: KEEP_ALIVE, useChunkedEncodingByDefault: CHUNKED_BY_DEFAULT,
  strictContentLength: STRICT_LENGTH, maxRequestsOnConnectionReached: MAX_REQUESTS, _defaultKeepAlive: KEEP_ALIVE_FIELD,
  _hasBody: HAS_BODY, _last: LAST, _removedConnection: REMOVED_CONNECTION, _removedContLen: REMOVED_LENGTH,
  _removedTE: REMOVED_ENCODING,
};

for (const name in PROPERTIES) {
  const bit = PROPERTIES[name];
  Object.defineProperty(OutgoingMessage.prototype, name, {
    configurable: true,
    get() { return (this[kState] & bit) !== 0; },
    set(is) {
      if (is) this[kState] |= bit;
      else this[kState] &= ~bit;
    },
  });
}

defineHeaderMethods(OutgoingMessage.prototype, send);

// The queue is created when it is first accessed.
Object.defineProperty(OutgoingMessage.prototype, 'outputData', {
  configurable: true,
  get() { return Object.hasOwn(this, 'constructor') ? undefined : this.outputData = []; },
  set(value) {
    this[kState] |= QUEUED;
    Object.defineProperty(this, 'outputData', { value, writable: true, enumerable: true, configurable: true });
  },
});

defineGetters(OutgoingMessage.prototype, {
  headersSent: (message) => Boolean(message._header),
  errored: (message) => message[kErrored],
  closed: (message) => message._closed,
  writableEnded: (message) => message.finished,
  writableFinished: (message) => (message[kState] & WRITTEN) !== 0,
  writableObjectMode: () => false,
  writableLength: (message) => message.outputSize + message[kPartsSize] + (message.socket?.writableLength ?? 0),
  writableHighWaterMark: (message) => message.socket?.writableHighWaterMark ?? message[kHighWaterMark],
  writableCorked: (message) => message[kCorked],
  writableNeedDrain: (message) => (message[kState] & (NEED_DRAIN | FINISHED | DESTROYED)) === NEED_DRAIN,
}, false);

// The deprecated name of `socket`.
Object.defineProperty(OutgoingMessage.prototype, 'connection', {
  configurable: true,
  get() { return this.socket; },
  set(socket) { this.socket = socket; },
});

// --- output --------------------------------------------------------------------------------------

// Whether the socket currently sends this message. A socket sends one message at a time.
function isCurrentMessage(message) { return message.socket?._httpMessage === message; }

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
    if ((message[kState] & QUEUED) !== 0 && message.outputData.length > 0) flushOutput(message);
    return socket.write(data, encoding, callback);
  }
  queueOutput(message, 'push', data, encoding, callback);
  return message[kHighWaterMark] > message.outputSize;
}

const CRLF = Buffer.from('\r\n');
const HEAD_ENCODINGS = new Set([undefined, null, '', 'utf8', 'latin1']);

// The same, but sends the head first if it has not been sent.
function send(message, data, encoding, callback) {
  if ((message[kState] & HEAD_SENT) === 0) {
    message[kState] |= HEAD_SENT;
    if (typeof data === 'string' && HEAD_ENCODINGS.has(encoding)) data = (message._header ?? '') + data;
    else queueOutput(message, 'unshift', message._header, 'latin1', null);
  }
  return transmit(message, data, encoding, callback);
}

// Corks the socket that was assigned to a message like the message.
function corkSocket(message) { for (let i = 0; i < message[kCorked]; i++) message.socket.cork(); }

// Writes the queue to the socket. Returns whether there is room for more, or undefined if the queue was empty.
function flushOutput(message) {
  const { outputData: queued, socket } = message;
  if (queued.length === 0) return undefined;
  let hasRoom;
  socket.cork();
  for (const entry of queued) hasRoom = socket.write(entry.data, entry.encoding, entry.callback);
  socket.uncork();
  message.outputData = [];
  message._connection?.onPendingData(-message.outputSize);
  message.outputSize = 0;
  return hasRoom;
}

// Called when a socket has been assigned to the message.
function flush(message) {
  const state = message[kState];
  if ((state & QUEUED) === 0) return;
  const isUnused = message.outputData.length === 0 && (state & (FINISHED | NEED_DRAIN)) === 0;
  if (isUnused || !message.socket?.writable) return;
  const hasRoom = flushOutput(message);
  if ((state & FINISHED) !== 0) emitPrefinish(message);
  else if (hasRoom) emitDrain(message);
}

// Emits 'drain' if it is due.
function emitDrain(message) {
  if ((message[kState] & (NEED_DRAIN | FINISHED)) !== NEED_DRAIN) return;
  message[kState] &= ~NEED_DRAIN;
  message.emit('drain');
}

// --- the body ------------------------------------------------------------------------------------

function sizeOf(chunk, encoding) {
  if (typeof chunk !== 'string') return chunk.byteLength;
  return encoding === 'utf8' ? utf8Length(chunk) : Buffer.byteLength(chunk, encoding);
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
  if (isLast ? total !== expected : total > expected) throw new codes.ERR_HTTP_CONTENT_LENGTH_MISMATCH(total, expected);
}

function writeChunk(message, chunk, encoding, callback, isLast) {
  const error = writeError(message, chunk);
  const done = !isLast && typeof callback === 'function' ? callback : undefined;
  if (error !== null) {
    if (message.destroyed) process.nextTick(done ?? noop, error);
    else reportError(message, error, done ?? noop);
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
  if ((message[kState] & HAS_BODY) === 0) {
    if ((message[kState] & REJECT_BODY) !== 0) throw new codes.ERR_HTTP_BODY_NOT_ALLOWED();
    process.nextTick(done ?? noop);
    return true;
  }
  if (!isLast) corkUntilNextTick(message.socket);
  // The end of a body that is not chunked needs no write of its own.
  const endsBody = isLast && (message[kState] & CHUNKED) === 0;
  const hasRoom = sendBody(message, chunk, encoding, endsBody ? callback : done);
  if (!hasRoom) message[kState] |= NEED_DRAIN | QUEUED;
  return hasRoom;
}

// Combines the writes of one tick.
function corkUntilNextTick(socket) {
  if (!socket || socket._writableState?.corked > 0) return;
  socket.cork();
  process.nextTick(uncork, socket);
}

const uncork = (socket) => socket.uncork();

// Frames a part of the body, or the last one, after the head. Returns [data, encoding, data, encoding, ...]. As a chunk,
// an empty part would end the body. Text and the head before it are encoded together.
function frame(message, part, encoding, isLast, head) {
  const state = message[kState];
  if ((state & HAS_BODY) === 0) return [head, 'latin1'];
  if ((state & CHUNKED) === 0 || (part.length === 0 && !isLast)) {
    if (typeof part === 'string') return [head + part, part === '' ? 'latin1' : encoding];
    return head === '' ? [part, encoding] : [head, 'latin1', part, encoding];
  }
  const end = isLast ? `0\r\n${message._trailer}\r\n` : '';
  if (part.length === 0) return [head + end, 'latin1'];
  const size = sizeOf(part, encoding).toString(16);
  return [`${head}${size}\r\n`, 'latin1', part, encoding, `\r\n${end}`, 'latin1'];
}

// Sends a part of the body with as many writes as Node.
function sendBody(message, chunk, encoding, callback) {
  if ((message[kState] & CHUNKED) === 0 || chunk.length === 0) return send(message, chunk, encoding, callback);
  if (message[kCorked] > 0 && (message[kState] & HEAD_SENT) !== 0) {
    (message[kParts] ??= []).push(chunk, encoding, callback);
    message[kPartsSize] += sizeOf(chunk, encoding);
    return message[kPartsSize] < message[kHighWaterMark];
  }
  send(message, sizeOf(chunk, encoding).toString(16), 'latin1', null);
  send(message, CRLF, null, null);
  send(message, chunk, encoding, null);
  return send(message, CRLF, null, callback);
}

// Sends the buffered parts of a corked message.
function sendParts(message) {
  const { [kParts]: parts, [kPartsSize]: size } = message;
  if (parts === null) return;
  message[kParts] = null;
  message[kPartsSize] = 0;
  const callbacks = parts.filter((part, index) => index % 3 === 2 && part);
  send(message, size.toString(16), 'latin1', null);
  send(message, CRLF, null, null);
  for (let i = 0; i < parts.length; i += 3) send(message, parts[i], parts[i + 1], null);
  send(message, CRLF, null, (err) => callbacks.forEach((callback) => callback(err)));
}

// Messages in these states are sent through the stream of the socket.
const INDIRECT = FINISHED | DESTROYED | STRICT_LENGTH | QUEUED;

// Fast path of end() and of pipes: writes the head, what was written in this tick, and a short part of the body with
// one native write, bypassing the stream. The caller guarantees that nothing else runs before the stream would write
// them. Returns whether it did.
function sendDirectly(message, chunk, encoding, isLast) {
  const { socket, [kState]: state } = message;
  if (!socket?._consumer || (state & INDIRECT) !== 0 || socket._httpMessage !== message) return false;
  if (!(typeof chunk === 'string' ? HEAD_ENCODINGS.has(encoding) : chunk instanceof Uint8Array)) return false;
  const { length } = chunk;
  if (length > MAX_SINGLE_WRITE || (length === 0 && !isLast)) return false;
  const isContinued = (state & HEAD_SENT) !== 0;
  const queued = socket._consumer.takeQueued(isContinued && isLast);
  if (queued === null) return false;
  const known = encoding || 'utf8';
  if (!message._header) {
    if (isLast) message._contentLength = sizeOf(chunk, known);
    try {
      message._implicitHeader();
    } catch (err) {
      if (isLast) socket.cork();
      throw err;
    }
  }
  if (!isLast && ((message[kState] & HAS_BODY) === 0 ||
      message._header.length + length + MAX_FRAMING >= socket._writableState.highWaterMark)) return false;
  const parts = frame(message, chunk, known, isLast, isContinued ? '' : message._header);
  message[kState] |= isLast ? HEAD_SENT | FINISHED : HEAD_SENT;
  socket._consumer.write(queued.length === 0 ? parts : queued.concat(parts), isLast ? message : null);
  return true;
}

// --- the end -------------------------------------------------------------------------------------

function endMessage(message, chunk, encoding, callback) {
  if (message.finished) {
    endAgain(message, chunk, callback);
    return;
  }
  const done = (err) => onFinish(message, err);
  if (chunk) {
    message.socket?.cork();
    writeChunk(message, chunk, encoding, done, true);
  } else if (!message._header) {
    message.socket?.cork();
    message._contentLength = 0;
    message._implicitHeader();
  }
  addEndCallback(message, callback);
  if (message.strictContentLength) checkLength(message, 0, true);
  sendParts(message);
  sendEnd(message, Boolean(chunk), done);
  while (message.socket?.writableCorked > 0) message.socket.uncork();
  if (!message.socket) message[kState] |= QUEUED;
  const isQueued = (message[kState] & QUEUED) !== 0;
  message[kCorked] = 0;
  message[kState] |= FINISHED;
  if ((!isQueued || message.outputData.length === 0) && isCurrentMessage(message)) emitPrefinish(message);
}

function addEndCallback(message, callback) { if (typeof callback === 'function') (message[kEndCallbacks] ??= []).push(callback); }

// end() on a message that has ended: a chunk is an error, a callback waits for 'finish'.
function endAgain(message, chunk, callback) {
  const hasCallback = typeof callback === 'function';
  if (chunk) {
    if (!message.destroyed) reportError(message, new codes.ERR_STREAM_WRITE_AFTER_END(), hasCallback ? callback : noop);
  } else if (hasCallback && message.writableFinished) {
    callback(new codes.ERR_STREAM_ALREADY_FINISHED('end'));
  } else {
    addEndCallback(message, callback);
  }
}

// Sends the end of the body, or an empty write, whose callback reports that everything was written.
function sendEnd(message, hadChunk, done) {
  const [end] = frame(message, '', 'latin1', true, '');
  if (hadChunk && end === '' && (message[kState] & HAS_BODY) !== 0) return;
  const isWritten = end === '' && message._headerSent && !hadChunk && message.writableLength === 0;
  if (isWritten) process.nextTick(done);
  else send(message, end, 'latin1', done);
}

// end() was called. Here and below the listeners are counted first, because most messages have none and
// emit() is slow.
function emitPrefinish(message) { if (message._eventsCount > 0) message.emit('prefinish'); }

// Everything was written, or the write has failed.
function onFinish(message, err = null) {
  const { [kEndCallbacks]: callbacks } = message;
  const isWritten = !err && !message.socket?._hadError;
  if (isWritten) message[kState] |= WRITTEN;
  if (callbacks !== null) {
    message[kEndCallbacks] = null;
    for (const callback of callbacks) callback(err);
  }
  if (!isWritten) return;
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
  end(chunk, encoding, callback) {
    if (typeof chunk === 'function') {
      callback = chunk;
      chunk = encoding = undefined;
    } else if (typeof encoding === 'function') {
      callback = encoding;
      encoding = undefined;
    }
    if (sendDirectly(this, chunk ?? '', encoding, true)) {
      addEndCallback(this, callback);
      emitPrefinish(this);
    } else {
      endMessage(this, chunk, encoding, callback);
    }
    return this;
  },

  cork() {
    this[kState] |= QUEUED;
    this[kCorked] += 1;
    this.socket?.cork();
  },

  uncork() {
    this[kCorked] -= 1;
    this.socket?.uncork();
    if (this[kCorked] === 0) sendParts(this);
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

  [Symbol.for('nodejs.rejection')](error) { this.destroy(error); },
});

module.exports = { DEFAULT_HIGH_WATER_MARK, OutgoingMessage, corkSocket, emitDrain, flush, onFinish, sendDirectly, transmit, withSocket };
