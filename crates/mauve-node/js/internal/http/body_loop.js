// `for await` of a message that needs no Readable. Its steps, ticks and promise jobs are those of the generator in
// internal/streams/iterator. The listeners are shared by all loops.

const {
  addListeners, canStartReader, kChunk, kEnded, kReader, onReadable, readChunk, startLoop,
} = require('internal/http/incoming');
const { destroyer } = require('internal/streams/destroy');
const { FinishedWatcher } = require('internal/streams/finished');
const { aggregateTwoErrors } = require('internal/streams/utils');

function onEnd() { this[kReader].watcher.sideEnded('readable'); }
function onFinish() { this[kReader].watcher.sideEnded('writable'); }
function onError(err) { this[kReader].watcher.settle(err); }
function onClose() { this[kReader].watcher.onClose(); }

const listeners = { readable: onReadable, end: onEnd, finish: onFinish, error: onError, close: onClose };
// With the slots of a Readable, in their order.
const createTable = () => ({
  __proto__: null, close: onClose, error: onError, data: undefined, end: onEnd, readable: onReadable, finish: onFinish,
});

class BodyLoop {
  constructor(message) {
    this.message = message;
    addListeners(message, createTable, listeners, 5);
    startLoop(message, this);
  }

  [Symbol.asyncIterator]() { return this; }

  finish(err) {
    this.isDone = true;
    this.error = err ? aggregateTwoErrors(this.error, err) : null;
    this.fire();
  }

  // Created for the first event, because most loops get none.
  get watcher() {
    const { message } = this;
    const ended = { readable: message[kEnded] && message[kChunk] === null, writable: null };
    const value = new FinishedWatcher(message, (err) => this.finish(err), { readable: true, writable: false }, ended, true);
    Object.defineProperty(this, 'watcher', { value });
    return value;
  }

  // Whether only the loop can notice 'end' and 'close'.
  get isAlone() {
    const { _events: events } = this.message;
    return !this.isDone && events.end === onEnd && events.close === onClose;
  }
}

function close({ error, isDone, message }) {
  if ((!isDone && !error) || message._readableState.autoDestroy) destroyer(message, null);
  else for (const event in listeners) message.removeListener(event, listeners[event]);
}

// `isReadableScheduled` means that a tick will emit 'readable', and no chunk has been read since.
Object.assign(BodyLoop.prototype, binding('http').createLoopMethods(readChunk, close, aggregateTwoErrors),
  { isLoop: true, isWaiting: false, isDone: false, error: null, isReadableScheduled: false });

// Returns null if the message needs a Readable.
exports.open = (message) => (canStartReader(message) ? new BodyLoop(message) : null);
