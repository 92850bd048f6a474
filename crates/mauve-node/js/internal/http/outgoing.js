// http.OutgoingMessage: a response that a server gives, or a request that a client makes.
//
// The head is made when the first part of the body is written, or at the end, and leaves together
// with it. Until the message has a socket of its own to write to, everything is kept in outputData.

const { Buffer } = require('buffer');
const { Stream } = require('internal/streams/legacy');
const { getDefaultHighWaterMark } = require('stream');
const { codes } = require('internal/errors');
const { kNeedDrain, kOutHeaders, kUniqueHeaders } = require('internal/http/common');

const kErrored = Symbol('errored');
const kHighWaterMark = Symbol('highWaterMark');
const kBytesWritten = Symbol('bytesWritten');
const kCorked = Symbol('corked');

function nop() {}

function OutgoingMessage(options) {
  Stream.call(this);
  this.outputData = [];
  this.finished = false;
  this._header = null;
  this.socket = null;
  if (options?.highWaterMark !== undefined) this[kHighWaterMark] = options.highWaterMark;
}
Object.setPrototypeOf(OutgoingMessage.prototype, Stream.prototype);
Object.setPrototypeOf(OutgoingMessage, Stream);

// What a message begins with. Few messages change all of it.
Object.assign(OutgoingMessage.prototype, {
  outputSize: 0,
  writable: true,
  destroyed: false,
  _last: false,
  chunkedEncoding: false,
  shouldKeepAlive: true,
  maxRequestsOnConnectionReached: false,
  _defaultKeepAlive: true,
  useChunkedEncodingByDefault: true,
  sendDate: false,
  _removedConnection: false,
  _removedContLen: false,
  _removedTE: false,
  strictContentLength: false,
  [kBytesWritten]: 0,
  _contentLength: null,
  _hasBody: true,
  _trailer: '',
  [kNeedDrain]: false,
  _headerSent: false,
  [kCorked]: 0,
  _closed: false,
  [kOutHeaders]: null,
  _keepAliveTimeout: 0,
  // The server's side of the connection, which wants to know how it goes.
  _connection: null,
  [kErrored]: null,
  [kHighWaterMark]: getDefaultHighWaterMark(false),
  [kUniqueHeaders]: null,
});

OutgoingMessage.prototype._onPendingData = function _onPendingData(amount) {
  this._connection?.onPendingData(amount);
};

function getter(name, get, set) {
  Object.defineProperty(OutgoingMessage.prototype, name, { get, set, configurable: true });
}

getter('headersSent', function () { return !!this._header; });
getter('connection', function () { return this.socket; }, function (socket) { this.socket = socket; });
getter('errored', function () { return this[kErrored]; });
getter('closed', function () { return this._closed; });
getter('writableEnded', function () { return this.finished; });
getter('writableFinished', function () {
  return this.finished && this.outputSize === 0 && (!this.socket || this.socket.writableLength === 0);
});
getter('writableObjectMode', () => false);
getter('writableLength', function () {
  return this.outputSize + (this.socket ? this.socket.writableLength : 0);
});
getter('writableHighWaterMark', function () {
  return this.socket ? this.socket.writableHighWaterMark : this[kHighWaterMark];
});
getter('writableCorked', function () {
  return this[kCorked] || (this.socket ? this.socket.writableCorked : 0);
});
getter('writableNeedDrain', function () {
  return !this.destroyed && !this.finished && this[kNeedDrain];
});

OutgoingMessage.prototype.cork = function cork() {
  this[kCorked]++;
  this.socket?.cork();
};

OutgoingMessage.prototype.uncork = function uncork() {
  this[kCorked]--;
  this.socket?.uncork();
};

OutgoingMessage.prototype.setTimeout = function setTimeout(msecs, callback) {
  if (callback) this.on('timeout', callback);
  if (this.socket) this.socket.setTimeout(msecs);
  else this.once('socket', (socket) => socket.setTimeout(msecs));
  return this;
};

OutgoingMessage.prototype.destroy = function destroy(error) {
  if (this.destroyed) return this;
  this.destroyed = true;
  this[kErrored] = error ?? null;
  if (this.socket) this.socket.destroy(error);
  else this.once('socket', (socket) => socket.destroy(error));
  return this;
};

require('internal/http/head').install(OutgoingMessage.prototype);

// --- writing -------------------------------------------------------------------------------------

// Writes, and the head before it if that has not left yet.
OutgoingMessage.prototype._send = function _send(data, encoding, callback) {
  if (!this._headerSent) {
    const header = this._header;
    this._headerSent = true;
    if (typeof data === 'string' && (!encoding || encoding === 'utf8' || encoding === 'latin1')) {
      data = header + data;
    } else {
      this.outputData.unshift({ data: header, encoding: 'latin1', callback: null });
      this.outputSize += header.length;
      this._onPendingData(header.length);
    }
  }
  return this._writeRaw(data, encoding, callback);
};

OutgoingMessage.prototype._writeRaw = function _writeRaw(data, encoding, callback) {
  const { socket } = this;
  if (socket?.destroyed) return false;
  if (socket && socket._httpMessage === this && socket.writable) {
    if (this.outputData.length > 0) this._flushOutput(socket);
    return socket.write(data, encoding, callback);
  }
  this.outputData.push({ data, encoding, callback });
  this.outputSize += data.length;
  this._onPendingData(data.length);
  return this.outputSize < this[kHighWaterMark];
};

function sizeOf(chunk, encoding) {
  return typeof chunk === 'string' ? Buffer.byteLength(chunk, encoding) : chunk.byteLength;
}

function fail(message, err, callback) {
  process.nextTick(() => {
    callback(err);
    if (!message.destroyed) message.emit('error', err);
  });
}

function checkChunk(chunk) {
  if (chunk === null) throw new codes.ERR_STREAM_NULL_VALUES();
  if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) {
    throw new codes.ERR_INVALID_ARG_TYPE('chunk', ['string', 'Buffer', 'Uint8Array'], chunk);
  }
}

function writeChunk(message, chunk, encoding, callback, isLast) {
  checkChunk(chunk);
  if (typeof callback !== 'function') callback = nop;
  let err;
  if (message.finished) err = new codes.ERR_STREAM_WRITE_AFTER_END();
  else if (message.destroyed) err = new codes.ERR_STREAM_DESTROYED('write');
  if (err) {
    if (message.destroyed) process.nextTick(callback, err);
    else fail(message, err, callback);
    return false;
  }
  let size;
  if (message.strictContentLength) {
    size = sizeOf(chunk, encoding);
    checkLength(message, size, isLast);
    message[kBytesWritten] += size;
  }
  if (!message._header) {
    if (isLast) message._contentLength = size ??= sizeOf(chunk, encoding);
    message._implicitHeader();
  }
  if (!message._hasBody) {
    process.nextTick(callback);
    return true;
  }
  // What is written in one go leaves in one go.
  const { socket } = message;
  if (!isLast && socket && !socket.writableCorked) {
    socket.cork();
    process.nextTick(() => socket.uncork());
  }
  let room;
  if (message.chunkedEncoding && chunk.length !== 0) {
    size ??= sizeOf(chunk, encoding);
    message._send(`${size.toString(16)}\r\n`, 'latin1', null);
    message._send(chunk, encoding, null);
    room = message._send('\r\n', 'latin1', callback);
  } else {
    room = message._send(chunk, encoding, callback);
  }
  if (!room) message[kNeedDrain] = true;
  return room;
}

function checkLength(message, size, isLast) {
  const wanted = message._contentLength;
  if (!message._hasBody || message._removedContLen || message.chunkedEncoding ||
      message.hasHeader('transfer-encoding') || typeof wanted !== 'number') return;
  const written = message[kBytesWritten] + size;
  if (isLast ? written !== wanted : written > wanted) {
    throw new codes.ERR_HTTP_CONTENT_LENGTH_MISMATCH(written, wanted);
  }
}

OutgoingMessage.prototype.write = function write(chunk, encoding, callback) {
  if (typeof encoding === 'function') {
    callback = encoding;
    encoding = null;
  }
  return writeChunk(this, chunk, encoding, callback, false);
};

OutgoingMessage.prototype.end = function end(chunk, encoding, callback) {
  if (typeof chunk === 'function') {
    callback = chunk;
    chunk = null;
    encoding = null;
  } else if (typeof encoding === 'function') {
    callback = encoding;
    encoding = null;
  }
  if (this.endAtOnce(chunk, encoding, callback)) return this;
  const { socket } = this;
  if (chunk) {
    if (this.finished) {
      fail(this, new codes.ERR_STREAM_WRITE_AFTER_END(), typeof callback === 'function' ? callback : nop);
      return this;
    }
    socket?.cork();
    writeChunk(this, chunk, encoding, null, true);
  } else if (this.finished) {
    if (typeof callback === 'function') {
      if (this.writableFinished) callback(new codes.ERR_STREAM_ALREADY_FINISHED('end'));
      else this.on('finish', callback);
    }
    return this;
  } else if (!this._header) {
    socket?.cork();
    this._contentLength = 0;
    this._implicitHeader();
  }
  if (typeof callback === 'function') this.once('finish', callback);
  if (this.strictContentLength) checkLength(this, 0, true);

  const finish = () => onFinish(this);
  if (this._hasBody && this.chunkedEncoding) {
    this._send(`0\r\n${this._trailer}\r\n`, 'latin1', finish);
  } else if (!this._headerSent || this.writableLength || chunk) {
    this._send('', 'latin1', finish);
  } else {
    process.nextTick(finish);
  }
  if (this.socket) {
    this.socket._writableState.corked = 1;
    this.socket.uncork();
  }
  this[kCorked] = 0;
  this.finished = true;
  if (this.outputData.length === 0 && this.socket && this.socket._httpMessage === this) this._finish();
  return this;
};

// A whole message that is a text and not too long leaves in one piece, past the stream of its socket,
// if nothing is before it. Returns whether that was done.
OutgoingMessage.prototype.endAtOnce = function endAtOnce(chunk, encoding, callback) {
  const { socket } = this;
  if (!socket?._feed || this.finished || this._headerSent || this.destroyed ||
      this.outputData.length > 0 || socket._httpMessage !== this || this.strictContentLength ||
      (encoding && encoding !== 'utf8' && encoding !== 'latin1')) return false;
  chunk ??= '';
  if (typeof chunk !== 'string' || chunk.length > MAX_AT_ONCE || !socket._feed.canWrite()) return false;
  const isLatin1 = encoding === 'latin1';
  if (!this._header) {
    this._contentLength = isLatin1 ? chunk.length : Buffer.byteLength(chunk);
    this._implicitHeader();
  }
  let text = this._header;
  if (this._hasBody) {
    if (this.chunkedEncoding) {
      if (chunk !== '') {
        const size = isLatin1 ? chunk.length : Buffer.byteLength(chunk);
        text += `${size.toString(16)}\r\n${chunk}\r\n`;
      }
      text += `0\r\n${this._trailer}\r\n`;
    } else {
      text += chunk;
    }
  }
  if (typeof callback === 'function') this.once('finish', callback);
  this._headerSent = true;
  this.finished = true;
  socket._feed.write(text, isLatin1, this);
  this._finish();
  return true;
};

// Fits into the buffer of a socket that has nothing else to send.
const MAX_AT_ONCE = 16 * 1024;

function onFinish(message) {
  if (message?.socket?._hadError) return;
  message._connection?.onFinish(message.req, message);
  // Asked first, for most messages have no listeners and emitting costs.
  if (message._eventsCount > 0) message.emit('finish');
}

OutgoingMessage.prototype._finish = function _finish() {
  if (this._eventsCount > 0) this.emit('prefinish');
};

// Sends what was kept, once there is a socket to send it to.
OutgoingMessage.prototype._flush = function _flush() {
  if (this.outputData.length === 0 && !this.finished && !this[kCorked] && !this[kNeedDrain]) return;
  const { socket } = this;
  if (!socket || !socket.writable) return;
  const room = this._flushOutput(socket);
  if (this.finished) {
    this._finish();
  } else if (room && this[kNeedDrain]) {
    this[kNeedDrain] = false;
    this.emit('drain');
  }
};

OutgoingMessage.prototype._flushOutput = function _flushOutput(socket) {
  const kept = this.outputData;
  while (this[kCorked]) {
    this[kCorked]--;
    socket.cork();
  }
  if (kept.length === 0) return undefined;
  let room;
  socket.cork();
  for (const { data, encoding, callback } of kept) room = socket.write(data, encoding, callback);
  socket.uncork();
  this.outputData = [];
  this._onPendingData(-this.outputSize);
  this.outputSize = 0;
  return room;
};

OutgoingMessage.prototype.pipe = function pipe() {
  this.emit('error', new codes.ERR_STREAM_CANNOT_PIPE());
};

OutgoingMessage.prototype[Symbol.for('nodejs.rejection')] = function onRejection(err) {
  this.destroy(err);
};

module.exports = { OutgoingMessage, onFinish };
