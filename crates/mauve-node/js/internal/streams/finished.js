// stream.finished: one callback for whichever comes first of the ways in which a stream can be over.

const { codes } = require('internal/errors');
const { validateAbortSignal, validateBoolean, validateFunction, validateObject } = require('internal/validators');
const { abortErrorOf, requireStream, whenAborted } = require('internal/streams/add_abort_signal');
const kinds = require('internal/streams/kinds');
const { isClosed, isReadable, isWritable, sideFailure, sideOver, willClose } = require('internal/streams/condition');

const OTHER = { readable: 'writable', writable: 'readable' };
const isOpen = { readable: isReadable, writable: isWritable };

class Vigil {
  #stream;
  #callback;
  #settled = false;
  // What has been listened to, as [emitter, event, listener].
  #listeners = [];
  #releaseSignal = null;

  constructor(stream, options, callback) {
    this.#stream = stream;
    this.#callback = callback;
    const looks = { readable: kinds.reader(stream), writable: kinds.writer(stream) };
    // The sides that must be over, and those that are.
    this.wanted = { readable: options.readable ?? looks.readable, writable: options.writable ?? looks.writable };
    this.over = { readable: sideOver(stream, 'readable', true), writable: sideOver(stream, 'writable', true) };
    this.closed = isClosed(stream);
    // If 'close' is going to follow, and everything is waited for, then it is what is waited for.
    this.awaitsClose =
      willClose(stream) && looks.readable === this.wanted.readable && looks.writable === this.wanted.writable;
  }

  begin(options) {
    this.#listenToRequest();
    const stream = this.#stream;
    const closes = () => this.#onClose();
    if (!this.awaitsClose && typeof stream.aborted === 'boolean') this.#listen(stream, 'aborted', closes);
    this.#listen(stream, 'end', () => this.#sideEnded('readable'));
    this.#listen(stream, 'finish', () => this.#sideEnded('writable'));
    if (options.error !== false) this.#listen(stream, 'error', (err) => this.#settle(err));
    this.#listen(stream, 'close', closes);

    const wasClosed = this.closed;
    if (wasClosed) process.nextTick(closes);
    else if (this.#isOverAlready()) process.nextTick(() => this.#onLateComing());
    if (options.signal && !wasClosed) this.#heed(options.signal);
  }

  // Requests, and emitters without a state, tell that they have been sent in ways of their own.
  #listenToRequest() {
    const stream = this.#stream;
    const sent = () => this.#sideEnded('writable');
    if (kinds.clientRequest(stream)) {
      this.#listen(stream, 'complete', sent);
      if (!this.awaitsClose) this.#listen(stream, 'abort', () => this.#onClose());
      const onRequest = () => this.#listen(stream.req, 'finish', sent);
      if (stream.req) onRequest();
      else this.#listen(stream, 'request', onRequest);
    } else if (this.wanted.writable && !stream._writableState) {
      const perhapsSent = () => {
        if (!stream.writable) sent();
      };
      this.#listen(stream, 'end', perhapsSent);
      this.#listen(stream, 'close', perhapsSent);
    }
  }

  // Nothing more can be expected to happen.
  #isOverAlready() {
    const stream = this.#stream;
    if (stream._writableState?.errorEmitted || stream._readableState?.errorEmitted) return !this.awaitsClose;
    if (this.#onlyOtherOver('readable') || this.#onlyOtherOver('writable')) return true;
    return Boolean(stream._readableState && stream.req && stream.aborted);
  }

  // `side` does not matter and the other one is over.
  #onlyOtherOver(side) {
    const stream = this.#stream;
    const other = OTHER[side];
    if (this.wanted[side] || (this.awaitsClose && !isOpen[side](stream))) return false;
    return this.over[other] || isOpen[other](stream) === false;
  }

  #heed(signal) {
    const abort = () => {
      if (this.#settled) return;
      this.detach();
      this.#call(abortErrorOf(signal));
    };
    if (signal.aborted) process.nextTick(abort);
    else this.#releaseSignal = whenAborted(signal, abort);
  }

  #sideEnded(side) {
    const other = OTHER[side];
    this.over[side] = true;
    if (this.#stream.destroyed) this.awaitsClose = false;
    if (this.awaitsClose && (this.wanted[other] || !this.#stream[side])) return;
    if (!this.wanted[other] || this.over[other]) this.#settle();
  }

  #onClose() {
    this.closed = true;
    if (this.#settleWithFailure()) return;
    const stream = this.#stream;
    const cut = (side) => this.wanted[side] && !this.over[side] && !sideOver(stream, side, true);
    if ((cut('readable') && kinds.pausableReader(stream)) || cut('writable')) {
      this.#settle(new codes.ERR_STREAM_PREMATURE_CLOSE());
    } else {
      this.#settle();
    }
  }

  #onLateComing() {
    this.closed = true;
    if (!this.#settleWithFailure()) this.#settle();
  }

  #settleWithFailure() {
    const failure = sideFailure(this.#stream, 'writable') || sideFailure(this.#stream, 'readable');
    // HTTP messages say only that they have failed, not with what.
    if (!failure || typeof failure === 'boolean') return false;
    this.#settle(failure);
    return true;
  }

  #settle(err) {
    if (this.#settled) return;
    this.#settled = true;
    this.#releaseSignal?.();
    this.#call(err);
  }

  #call(err) {
    if (err === undefined) this.#callback.call(this.#stream);
    else this.#callback.call(this.#stream, err);
  }

  #listen(emitter, event, listener) {
    this.#listeners.push([emitter, event, listener]);
    emitter.on(event, listener);
  }

  detach() {
    this.#settled = true;
    this.#releaseSignal?.();
    for (const [emitter, event, listener] of this.#listeners.splice(0)) emitter.removeListener(event, listener);
  }
}

function finished(stream, options, callback) {
  if (arguments.length === 2) [options, callback] = [{}, options];
  else if (options == null) options = {};
  else validateObject(options, 'options');
  validateFunction(callback, 'callback');
  validateAbortSignal(options.signal, 'options.signal');
  requireStream(stream);
  const vigil = new Vigil(stream, options, callback);
  vigil.begin(options);
  return () => vigil.detach();
}

// The same as a promise, for stream/promises.
function finishedPromise(stream, options) {
  const cleanup = options?.cleanup ?? false;
  validateBoolean(cleanup, 'cleanup');
  return new Promise((resolve, reject) => {
    const detach = finished(stream, options ?? {}, (err) => {
      if (cleanup) detach();
      if (err) reject(err);
      else resolve();
    });
  });
}

module.exports = { finished, finishedPromise };
