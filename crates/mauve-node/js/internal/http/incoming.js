// http.IncomingMessage: a request that a server receives, or a response that a client receives.
const stream = require('stream');
const { keepLayouts } = require('internal/http/common');
const { OutgoingMessage, sendDirectly } = require('internal/http/outgoing');
const { splitFields } = require('internal/http/parser');
const { Pipe } = require('internal/streams/pipe');
const { defineComputed } = require('internal/util/getters');
const observers = require('internal/async_state');
const { Readable } = stream;
const { pendingTicks } = binding('timers');
const { addListener, once, prependListener, removeListener } = stream.prototype;

// The limit of entries in rawHeaders: two per header.
const kHeadersCount = Symbol('headersCount');

function IncomingMessage(socket) { this.socket = socket; }
Object.setPrototypeOf(IncomingMessage.prototype, Readable.prototype);
Object.setPrototypeOf(IncomingMessage, Readable);

// Initial values, on the prototype because most messages change only a few of them.
Object.assign(IncomingMessage.prototype, {
  // Ten times the version; 0 if it is unknown.
  _version: 0,
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

// Most requests have no body or a short one. The Readable part of a message is therefore initialized when a
// program needs it, or when there is more to buffer than one chunk. Until then, kStage is how far resume() and
// the end of the message have been processed. The events and their ticks are those of a Readable.
const kInitialized = Symbol('initialized');
const kStage = Symbol('stage');
// Received completely.
const kEnded = Symbol('ended');
// The first chunk, if it has not been read, and whether a chunk has been read.
const kChunk = Symbol('chunk');
const kDidRead = Symbol('didRead');
// Whether the tick of emitLateReadable() is pending.
const kHasLateTick = Symbol('hasLateTick');
// The Pipe that reads the message.
const kReader = Symbol('reader');
const Stage = Object.freeze({ NONE: 0, RESUMED: 1, FLOWING: 2, ENDING: 3, END_EMITTED: 4, DESTROYED: 5, CLOSED: 6, CLOSE_EMITTED: 7 });
Object.assign(IncomingMessage.prototype, {
  [kInitialized]: false, [kStage]: Stage.NONE, [kEnded]: false, [kChunk]: null, [kDidRead]: false, [kReader]: null,
  [kHasLateTick]: false,
});

Object.defineProperty(IncomingMessage.prototype, '_readableState', {
  get() {
    // Accessed on the prototype itself.
    if (!Object.hasOwn(this, 'socket')) return undefined;
    const { socket, [kStage]: stage, [kChunk]: chunk, [kReader]: reader } = this;
    Readable.call(this, socket ? { highWaterMark: socket.readableHighWaterMark } : undefined);
    const state = this._readableState;
    state.readingMore = stage < Stage.FLOWING;
    const isPaused = reader?.isUnpiped === true;
    if (stage !== Stage.NONE) {
      if (reader !== null && !isPaused) state.pipes.push(reader.dest);
      Object.assign(state, { flowing: !isPaused, paused: isPaused });
    }
    if (stage === Stage.RESUMED) state.resumeScheduled = true;
    else if (stage === Stage.FLOWING) Object.assign(state, { reading: true, needReadable: true, sync: false });
    if (this[kDidRead]) state.dataEmitted = true;
    if (chunk !== null) state.queue.append(chunk);
    this[kChunk] = null;
    if (this[kEnded]) Object.assign(state, { ended: true, endEmitted: stage >= Stage.END_EMITTED });
    if (stage > Stage.END_EMITTED) state.lifecycle.setDestroyState(stage - Stage.END_EMITTED, true);
    return state;
  },
  set(state) {
    this[kInitialized] = true;
    Object.defineProperty(this, '_readableState',
      { value: state, writable: true, enumerable: true, configurable: true });
  },
  configurable: true,
});

const { collectFields, singleFields } = binding('http');
const { emit, push, read } = Readable.prototype;

// Whether programs can notice the steps of a Readable only by its events 'data', 'end' and 'close'.
function isPlain(message) {
  const { _events: events } = message;
  return message.emit === emit && message.read === read && message.push === push && message._read === readBody &&
    (events === undefined || (events.readable === undefined && events.resume === undefined));
}

// Adds a part of the body. Returns whether there is room for more, up to `mark` bytes.
function addBody(message, part, mark) {
  if (message[kInitialized] || part.length >= mark || !isPlain(message)) return message.push(part);
  if (message[kStage] < Stage.FLOWING && message[kChunk] === null) {
    message[kChunk] = part;
    return true;
  }
  if (message[kStage] !== Stage.FLOWING || message._events?.data === undefined) return message.push(part);
  message[kDidRead] = true;
  message.emit('data', part);
  if (message[kInitialized]) {
    message._readableState.reading = false;
    message._readableState.maybeReadMore();
  }
  return true;
}

// The message has been received completely.
function endMessage(message, trailers) {
  message.complete = true;
  if (trailers !== undefined) {
    message[kTrailerFields] = trailers;
    // They were accessed before.
    delete message.rawTrailers;
    if (message[kTrailers] !== null) addHeaders(message, message.rawTrailers, '_addHeaderLine', message[kTrailers]);
  }
  if (message[kInitialized] || (message._eventsCount > 0 && !isPlain(message))) {
    message.push(null);
    return;
  }
  message[kEnded] = true;
  const stage = message[kStage];
  if (stage === Stage.FLOWING) scheduleEnd(message);
  else if (stage === Stage.NONE && message[kChunk] === null && pendingTicks() > 0) {
    message[kHasLateTick] = true;
    process.nextTick(emitLateReadable, message);
  }
}

// A pending tick may have added a listener of 'readable'.
function emitLateReadable(message) {
  message[kHasLateTick] = false;
  if (message[kInitialized] && message._readableState.readableListening) message._readableState.emitReadable();
}

function scheduleEnd(message) {
  message[kStage] = Stage.ENDING;
  process.nextTick(emitEnd, message);
}

// Ends a complete message that no program reads. Returns whether it did: without listeners, also of the response,
// and without other pending ticks, no program can notice that its events are omitted.
function discard(message, hasObserver) {
  if (hasObserver || !message[kEnded] || message[kInitialized] || message[kStage] !== Stage.NONE ||
      message._eventsCount > 0 || pendingTicks() > Number(message[kHasLateTick])) return false;
  message[kStage] = Stage.CLOSE_EMITTED;
  if (message[kChunk] !== null) {
    message[kChunk] = null;
    message[kDidRead] = true;
  }
  return true;
}

function hasEmittedEnd(message) { return message[kInitialized] ? message.readableEnded : message[kStage] >= Stage.END_EMITTED; }

// Whether resume() has been called, and the tick that starts to read is pending.
function isResuming(message) { return message[kInitialized] ? message._readableState.resumeScheduled : message[kStage] === Stage.RESUMED; }

// The steps of a message that is not initialized, each in a tick of its own. A step of a message that has been
// initialized since is that of the Readable.
function resumeMessage(message) {
  const chunk = message[kChunk];
  if (message[kInitialized] || !isPlain(message)) {
    message._readableState.resumeNow();
    return;
  }
  if (message[kEnded]) {
    scheduleEnd(message);
  } else {
    message[kStage] = Stage.FLOWING;
    message._consumed = true;
    if (message.socket?._consumer?.paused !== false) resumeSocket(message.socket);
  }
  if (chunk === null) return;
  message[kChunk] = null;
  message[kDidRead] = true;
  message.emit('data', chunk);
  if (message[kInitialized] && !message[kEnded]) message._readableState.flowOn();
}

function emitEnd(message) {
  if (message[kInitialized]) {
    if (!message._consumed) message._readableState.emitReadable();
    message._readableState.emitEnd();
    return;
  }
  message[kStage] = Stage.END_EMITTED;
  if (message[kReader] !== null && endPipe(message)) return;
  message.emit('end');
  if (!message[kInitialized] || message._readableState.autoDestroy) message.destroy();
}

function setStage(message, stage) {
  message[kStage] = stage;
  if (message[kInitialized]) message._readableState.lifecycle.setDestroyState(stage - Stage.END_EMITTED, true);
}

function close(message) {
  setStage(message, Stage.CLOSED);
  process.nextTick(emitClose, message);
}

function emitClose(message) {
  setStage(message, Stage.CLOSE_EMITTED);
  if (!message[kInitialized] || message._readableState.emitClose) message.emit('close');
}

function resumeSocket(socket) { if (socket?.readable && !socket._paused) socket.resume(); }

function readBody() {
  if (!this._consumed) {
    this._consumed = true;
    this._readableState.readingMore = false;
  }
  resumeSocket(this.socket);
}

defineComputed(IncomingMessage.prototype, 'client', ({ socket }) => socket);

Object.defineProperty(IncomingMessage.prototype, 'connection', {
  get() { return this.socket; },
  set(socket) { this.socket = socket; },
  configurable: true,
});

const SINGLE_VALUE_HEADERS = new Set(singleFields);

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

function addDistinctHeader(field, value, headers) { (headers[field.toLowerCase()] ??= []).push(value); }

function addHeaders(message, raw, method, headers) {
  const end = Math.min(raw.length, message[kHeadersCount]);
  for (let i = 0; i < end; i += 2) message[method](raw[i], raw[i + 1], headers);
  return headers;
}

// The fields as the parser passes them. They are split on first access.
const kTrailerFields = Symbol('trailerFields');
const kTrailers = Symbol('trailers');
IncomingMessage.prototype._fields = IncomingMessage.prototype[kTrailerFields] = undefined;

// Properties that become own properties when they are accessed.
const LAZY = {
  rawHeaders: (message) => splitFields(message._fields),
  rawTrailers: (message) => splitFields(message[kTrailerFields]),
  httpVersionMajor: ({ _version: version }) => (version === 0 ? null : Math.floor(version / 10)),
  httpVersionMinor: ({ _version: version }) => (version === 0 ? null : version % 10),
  httpVersion: ({ _version: version }) => (version === 0 ? null : (version / 10).toFixed(1)),
};
for (const name in LAZY) defineComputed(IncomingMessage.prototype, name, LAZY[name], { isKept: true });

// Computed from the raw headers on first access.
for (const source of ['headers', 'trailers']) {
  const raw = source === 'headers' ? 'rawHeaders' : 'rawTrailers';
  for (const isDistinct of [false, true]) {
    const name = isDistinct ? `${source}Distinct` : source;
    const method = isDistinct ? '_addHeaderLineDistinct' : '_addHeaderLine';
    const key = name === 'trailers' ? kTrailers : Symbol(name);
    IncomingMessage.prototype[key] = null;
    const compute = (message) => {
      const isUnchanged = name === 'headers' && message._addHeaderLine === addHeader &&
        message._fields !== undefined && !Object.hasOwn(message, raw);
      return isUnchanged ? collectFields(message._fields, message[kHeadersCount], Boolean(message.joinDuplicateHeaders)) :
        addHeaders(message, message[raw], method, isDistinct ? { __proto__: null } : {});
    };
    Object.defineProperty(IncomingMessage.prototype, name, {
      configurable: true,
      get() { return this[key] ??= compute(this); },
      set(value) { this[key] = value; },
    });
  }
}

// --- pipe() -------------------------------------------------------------------------------------
//
// Fast path: a message that needs no Readable, to an emitter with the methods of EventEmitter, such as a response.
// The listeners are shared by all pipes, and the events are those of Pipe. Without it `req.pipe(res)` takes three
// times as many instructions.

// The pipe of a destination.
const kPipe = Symbol('pipe');

function onData(chunk) {
  const pipe = this[kReader];
  const { dest } = pipe;
  const isAlone = pendingTicks() === 0 && !this[kInitialized] && this._events.data === onData &&
    dest.write === OutgoingMessage.prototype.write;
  if (!isAlone || !sendDirectly(dest, chunk, 'buffer', false)) pipe.onData(chunk);
}
function onEnd() { this.removeListener('end', onEnd)[kReader].dest.end(); }
function onClose() { this.removeListener('close', onClose)[kPipe].unpipe('finish'); }
function onDrain() { this[kPipe].onDrain(); }
function onError(err) { this[kPipe].onError(err); }

function onUnpipe(from, info) {
  this[kPipe].onUnpipe(from, info);
  if (this[kPipe].isDisconnected) this[kPipe] = null;
}

// Whether a destination has no other listeners than those of its pipe.
function hasOnlyPipe({ _events: events, _eventsCount: count }) {
  return count === 4 && events.finish === onFinish && events.unpipe === onUnpipe && events.error === onError &&
    events.close === onClose;
}

// Ends the source and the destination. Returns whether no program can notice that the ticks until 'close' of the
// source are omitted.
function endPipe(source) {
  const { _events: events, [kReader]: { dest } } = source;
  const isAlone = pendingTicks() === 0 && source._eventsCount === 2 && events.end === onEnd && events.data === onData &&
    source.destroy === destroy && source._destroy === _destroy && observers.publish === undefined;
  if (!isAlone || dest.end !== OutgoingMessage.prototype.end || !hasOnlyPipe(dest)) return false;
  source.removeListener('end', onEnd);
  dest.end();
  source[kStage] = Stage.CLOSE_EMITTED;
  return true;
}

function onFinish() {
  const { [kPipe]: pipe } = this;
  const { source } = pipe;
  const isRead = source[kReader] === pipe && !source[kInitialized] && source[kStage] >= Stage.ENDING;
  if (isRead && hasOnlyPipe(this) && source._events.pause === undefined) {
    this._events = { __proto__: null };
    this._eventsCount = 0;
    this[kPipe] = null;
    pipe.isDisconnected = pipe.isUnpiped = true;
    source.removeListener('end', onEnd).removeListener('data', onData);
  } else {
    this.removeListener('finish', onFinish);
    pipe.unpipe('close');
  }
}

const sourceListeners = { end: onEnd, data: onData };
const destListeners = { close: onClose, finish: onFinish, drain: onDrain, error: onError, unpipe: onUnpipe };

function isPipeable(source, dest, options) {
  if (source[kInitialized] || source[kStage] !== Stage.NONE || source._events?.newListener !== undefined ||
      source._events?.data !== undefined || source.on !== IncomingMessage.prototype.on || !isPlain(source) ||
      observers.tracker !== undefined) return false;
  return Boolean(dest) && options?.end !== false && !dest._isStdio && !dest[kPipe] &&
    dest._events?.newListener === undefined && dest.on === addListener && dest.once === once && dest.emit === emit &&
    dest.prependListener === prependListener && dest.removeListener === removeListener;
}

function connectPipe(source, dest) {
  const pipe = dest[kPipe] = source[kReader] = new Pipe(source, dest, sourceListeners, destListeners);
  if (source._events === undefined) {
    source._events = { __proto__: null, end: onEnd, data: onData };
    source._eventsCount = 2;
  } else {
    addListener.call(source, 'end', onEnd);
    addListener.call(source, 'data', onData);
  }
  source[kStage] = Stage.RESUMED;
  process.nextTick(resumeMessage, source);
  if (dest._events === undefined) {
    dest._events = { __proto__: null, unpipe: onUnpipe, error: onError, close: onClose, finish: onFinish };
    dest._eventsCount = 4;
  } else {
    dest.on('unpipe', onUnpipe).prependListener('error', onError).on('close', onClose).on('finish', onFinish);
    dest.emit('pipe', source);
  }
  if (dest.writableNeedDrain === true) pipe.pause();
}

// --- methods -------------------------------------------------------------------------------------

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
  _addHeaderLines(lines, count) { addHeaders(this, lines.slice(0, count), '_addHeaderLine', this.complete ? this.trailers : this.headers); },
  _addHeaderLine: addHeader,
  _addHeaderLineDistinct: addDistinctHeader,

  setTimeout(time, listener) {
    if (listener) this.on('timeout', listener);
    this.socket.setTimeout(time);
    return this;
  },

  on(event, listener) {
    const isReader = event === 'readable' ||
      (event === 'data' && (this._events?.readable !== undefined || this[kReader] !== null));
    if (this[kInitialized] || isReader) return Readable.prototype.on.call(this, event, listener);
    addListener.call(this, event, listener);
    if (event === 'data') this.resume();
    return this;
  },

  removeListener(event, listener) {
    const { prototype } = this[kInitialized] || event === 'readable' ? Readable : stream;
    return prototype.removeListener.call(this, event, listener);
  },

  resume() {
    if (this[kInitialized] || this[kReader] !== null) return Readable.prototype.resume.call(this);
    if (this[kStage] === Stage.NONE) {
      this[kStage] = Stage.RESUMED;
      process.nextTick(resumeMessage, this);
    }
    return this;
  },

  destroy(err, callback) {
    const isEnded = !this[kInitialized] && this[kStage] === Stage.END_EMITTED && this.complete && !this.aborted;
    if (!isEnded || err || callback !== undefined || this._destroy !== IncomingMessage.prototype._destroy) {
      return Readable.prototype.destroy.call(this, err, callback);
    }
    this[kStage] = Stage.DESTROYED;
    process.nextTick(close, this);
    return this;
  },

  _read: readBody,

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

  pipe(dest, options) {
    if (!isPipeable(this, dest, options)) return Readable.prototype.pipe.call(this, dest, options);
    connectPipe(this, dest);
    return dest;
  },

  // Reads and discards the rest of the body.
  _dump() {
    if (this._dumped) return;
    this._dumped = true;
    // Buffered data must not be emitted.
    if (this[kInitialized]) this.removeAllListeners('data');
    else if (this._events?.data !== undefined) stream.prototype.removeAllListeners.call(this, 'data');
    this.resume();
  },
});
const { destroy, _destroy } = IncomingMessage.prototype;
IncomingMessage.prototype.addListener = IncomingMessage.prototype.on;
IncomingMessage.prototype.off = IncomingMessage.prototype.removeListener;

const layouts = [[kStage], [kHasLateTick, kStage]].map((names) => keepLayouts(IncomingMessage.prototype,
  'socket', '_version', '_fields', 'method', 'url', 'upgrade', 'complete', kEnded, ...names));

module.exports = { layouts, IncomingMessage, addBody, discard, endMessage, hasEmittedEnd, isResuming, kHeadersCount };
