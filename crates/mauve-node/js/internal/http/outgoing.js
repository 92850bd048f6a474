// http.OutgoingMessage: a response that a server gives, or a request that a client makes.
//
// The head is made when the first part of the body is written, or at the end, and leaves together
// with it. Until the message has a socket of its own to write to, everything is kept in outputData.

const { Buffer } = require('buffer');
const { Stream } = require('internal/streams/legacy');
const { getDefaultHighWaterMark } = require('stream');
const { codes } = require('internal/errors');
const {
  kNeedDrain, kOutHeaders, utcDate, validateHeaderName, validateHeaderValue,
} = require('internal/http/common');

const kErrored = Symbol('errored');
const kHighWaterMark = Symbol('highWaterMark');
const kBytesWritten = Symbol('bytesWritten');
const kCorked = Symbol('corked');
const kUniqueHeaders = Symbol('uniqueHeaders');

function nop() {}

function OutgoingMessage(options) {
  Stream.call(this);
  this.outputData = [];
  this.outputSize = 0;
  this.writable = true;
  this.destroyed = false;
  this._last = false;
  this.chunkedEncoding = false;
  this.shouldKeepAlive = true;
  this.maxRequestsOnConnectionReached = false;
  this._defaultKeepAlive = true;
  this.useChunkedEncodingByDefault = true;
  this.sendDate = false;
  this._removedConnection = false;
  this._removedContLen = false;
  this._removedTE = false;
  this.strictContentLength = false;
  this[kBytesWritten] = 0;
  this._contentLength = null;
  this._hasBody = true;
  this._trailer = '';
  this[kNeedDrain] = false;
  this.finished = false;
  this._headerSent = false;
  this[kCorked] = 0;
  this._closed = false;
  this.socket = null;
  this._header = null;
  this[kOutHeaders] = null;
  this._keepAliveTimeout = 0;
  this._onPendingData = nop;
  this[kErrored] = null;
  this[kHighWaterMark] = options?.highWaterMark ?? getDefaultHighWaterMark(false);
  this[kUniqueHeaders] = null;
}
Object.setPrototypeOf(OutgoingMessage.prototype, Stream.prototype);
Object.setPrototypeOf(OutgoingMessage, Stream);

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

// --- headers -------------------------------------------------------------------------------------

OutgoingMessage.prototype.setHeader = function setHeader(name, value) {
  if (this._header) throw new codes.ERR_HTTP_HEADERS_SENT('set');
  validateHeaderName(name);
  validateHeaderValue(name, value);
  (this[kOutHeaders] ??= { __proto__: null })[name.toLowerCase()] = [name, value];
  return this;
};

OutgoingMessage.prototype.setHeaders = function setHeaders(headers) {
  if (this._header) throw new codes.ERR_HTTP_HEADERS_SENT('set');
  if (!headers || Array.isArray(headers) || typeof headers.keys !== 'function' ||
      typeof headers.get !== 'function') {
    throw new codes.ERR_INVALID_ARG_TYPE('headers', ['Headers', 'Map'], headers);
  }
  for (const name of headers.keys()) this.setHeader(name, headers.get(name));
  return this;
};

OutgoingMessage.prototype.appendHeader = function appendHeader(name, value) {
  if (this._header) throw new codes.ERR_HTTP_HEADERS_SENT('append');
  validateHeaderName(name);
  validateHeaderValue(name, value);
  const headers = this[kOutHeaders] ??= { __proto__: null };
  const known = headers[name.toLowerCase()];
  if (known === undefined) {
    headers[name.toLowerCase()] = [name, value];
  } else {
    known[1] = [].concat(known[1], value);
  }
  return this;
};

function validateName(name) {
  if (typeof name !== 'string') throw new codes.ERR_INVALID_ARG_TYPE('name', 'string', name);
  return name.toLowerCase();
}

OutgoingMessage.prototype.getHeader = function getHeader(name) {
  return this[kOutHeaders]?.[validateName(name)]?.[1];
};

OutgoingMessage.prototype.hasHeader = function hasHeader(name) {
  const key = validateName(name);
  return this[kOutHeaders] !== null && key in this[kOutHeaders];
};

OutgoingMessage.prototype.getHeaderNames = function getHeaderNames() {
  return this[kOutHeaders] === null ? [] : Object.keys(this[kOutHeaders]);
};

OutgoingMessage.prototype.getRawHeaderNames = function getRawHeaderNames() {
  return Object.values(this[kOutHeaders] ?? {}).map(([name]) => name);
};

OutgoingMessage.prototype.getHeaders = function getHeaders() {
  const headers = { __proto__: null };
  for (const name in this[kOutHeaders]) headers[name] = this[kOutHeaders][name][1];
  return headers;
};

OutgoingMessage.prototype.removeHeader = function removeHeader(name) {
  const key = validateName(name);
  if (this._header) throw new codes.ERR_HTTP_HEADERS_SENT('remove');
  switch (key) {
    case 'connection': this._removedConnection = true; break;
    case 'content-length': this._removedContLen = true; break;
    case 'transfer-encoding': this._removedTE = true; break;
    case 'date': this.sendDate = false; break;
    default:
  }
  if (this[kOutHeaders] !== null) delete this[kOutHeaders][key];
};

OutgoingMessage.prototype.flushHeaders = function flushHeaders() {
  if (!this._header) this._implicitHeader();
  this._send('');
};

// What the headers that are given say of the message, and the text of the head.
class Head {
  constructor(message, firstLine) {
    this.message = message;
    this.text = firstLine;
    this.connection = false;
    this.contentLength = false;
    this.transferEncoding = false;
    this.date = false;
    this.expect = false;
    this.trailer = false;
  }

  add(name, value, validate) {
    if (validate) validateHeaderName(name);
    if (Array.isArray(value)) {
      const { message } = this;
      const key = name.toLowerCase();
      if ((value.length < 2 || key !== 'cookie') && !message[kUniqueHeaders]?.has(key)) {
        for (const each of value) this.line(name, each, validate);
        return;
      }
      value = value.join('; ');
    }
    this.line(name, value, validate);
  }

  line(name, value, validate) {
    if (validate) validateHeaderValue(name, value);
    this.text += `${name}: ${value}\r\n`;
    this.note(name, value);
  }

  note(name, value) {
    const { message } = this;
    if (name.length < 4 || name.length > 17) return;
    switch (name.toLowerCase()) {
      case 'connection':
        this.connection = true;
        message._removedConnection = false;
        if (/(?:^|\W)close(?:$|\W)/i.test(value)) message._last = true;
        else message.shouldKeepAlive = true;
        break;
      case 'transfer-encoding':
        this.transferEncoding = true;
        message._removedTE = false;
        if (/(?:^|\W)chunked(?:$|\W)/i.test(value)) message.chunkedEncoding = true;
        break;
      case 'content-length':
        this.contentLength = true;
        message._contentLength = +value;
        message._removedContLen = false;
        break;
      case 'date': this.date = true; break;
      case 'expect': this.expect = true; break;
      case 'trailer': this.trailer = true; break;
      case 'keep-alive': message._defaultKeepAlive = false; break;
      default:
    }
  }
}

OutgoingMessage.prototype._storeHeader = function _storeHeader(firstLine, headers) {
  const head = new Head(this, firstLine);
  if (headers === this[kOutHeaders]) {
    for (const key in headers) head.add(headers[key][0], headers[key][1], false);
  } else if (Array.isArray(headers)) {
    if (headers.length > 0 && Array.isArray(headers[0])) {
      for (const [name, value] of headers) head.add(name, value, true);
    } else {
      if (headers.length % 2 !== 0) throw new codes.ERR_INVALID_ARG_VALUE('headers', headers);
      for (let i = 0; i < headers.length; i += 2) head.add(headers[i], headers[i + 1], true);
    }
  } else if (headers) {
    for (const name of Object.keys(headers)) head.add(name, headers[name], true);
  }
  this.finishHead(head);
};

// Adds what the message needs and nobody has given.
OutgoingMessage.prototype.finishHead = function finishHead(head) {
  if (this.sendDate && !head.date) head.text += `Date: ${utcDate()}\r\n`;
  // These have no body, whatever the headers say.
  if (this.chunkedEncoding && (this.statusCode === 204 || this.statusCode === 304)) {
    this.chunkedEncoding = false;
    this.shouldKeepAlive = false;
  }
  if (this._removedConnection) {
    this._last = !this.shouldKeepAlive;
  } else if (!head.connection) {
    this.addConnection(head);
  }
  if (!head.contentLength && !head.transferEncoding) {
    if (!this._hasBody) {
      this.chunkedEncoding = false;
    } else if (!this.useChunkedEncodingByDefault) {
      this._last = true;
    } else if (!head.trailer && !this._removedContLen && typeof this._contentLength === 'number') {
      head.text += `Content-Length: ${this._contentLength}\r\n`;
    } else if (!this._removedTE) {
      head.text += 'Transfer-Encoding: chunked\r\n';
      this.chunkedEncoding = true;
    } else {
      // The body ends where the connection does.
      this._last = true;
    }
  }
  if (this.chunkedEncoding !== true && head.trailer) throw new codes.ERR_HTTP_TRAILER_INVALID();
  this._header = `${head.text}\r\n`;
  this._headerSent = false;
  // The peer waits for the head before it wants a body.
  if (head.expect) this._send('');
};

OutgoingMessage.prototype.addConnection = function addConnection(head) {
  const keepAlive = this.shouldKeepAlive &&
    (head.contentLength || this.useChunkedEncodingByDefault || this.agent);
  if (keepAlive && this.maxRequestsOnConnectionReached) {
    head.text += 'Connection: close\r\n';
  } else if (keepAlive) {
    head.text += 'Connection: keep-alive\r\n';
    if (this._keepAliveTimeout && this._defaultKeepAlive) {
      const seconds = Math.floor(this._keepAliveTimeout / 1000);
      const max = ~~this._maxRequestsPerSocket > 0 ? `, max=${this._maxRequestsPerSocket}` : '';
      head.text += `Keep-Alive: timeout=${seconds}${max}\r\n`;
    }
  } else {
    this._last = true;
    head.text += 'Connection: close\r\n';
  }
};

OutgoingMessage.prototype.addTrailers = function addTrailers(headers) {
  this._trailer = '';
  const isArray = Array.isArray(headers);
  const entries = isArray ? headers : Object.entries(headers);
  for (const [name, value] of entries) {
    validateHeaderName(name, 'Trailer name');
    for (const each of [].concat(value)) {
      validateHeaderValue(name, each);
      this._trailer += `${name}: ${each}\r\n`;
    }
  }
};

OutgoingMessage.prototype._implicitHeader = function _implicitHeader() {
  throw new codes.ERR_METHOD_NOT_IMPLEMENTED('_implicitHeader()');
};

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

function onFinish(message) {
  if (message?.socket?._hadError) return;
  message.emit('finish');
}

OutgoingMessage.prototype._finish = function _finish() {
  this.emit('prefinish');
};

// Sends what was kept, once there is a socket to send it to.
OutgoingMessage.prototype._flush = function _flush() {
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

module.exports = { OutgoingMessage, kHighWaterMark, kUniqueHeaders };
