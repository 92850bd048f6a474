// The old-style stream: an emitter of 'data' and 'end' with pipe().
const EventEmitter = require('events');

function Stream(options) { EventEmitter.call(this, options); }
Object.setPrototypeOf(Stream.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Stream, EventEmitter);

// Listeners of the source: 'end' ends the destination, 'close' destroys it. Only the first has an effect.
function endOrDestroyOnce(dest) {
  let called = false;
  const first = (act) => () => {
    if (called) return;
    called = true;
    act();
  };
  return {
    end: first(() => dest.end()),
    close: first(() => { if (typeof dest.destroy === 'function') dest.destroy(); }),
  };
}

Stream.prototype.pipe = function pipe(dest, options) {
  // biome-ignore lint/complexity/noUselessThisAlias: a name for the other end than `dest`
  const source = this;
  // The listeners of this pipe, as [emitter, event, listener], for cleanup.
  const listeners = [];
  const listen = (emitter, event, listener, prepend = false) => {
    listeners.push([emitter, event, listener]);
    if (prepend) prependListener(emitter, event, listener);
    else emitter.on(event, listener);
  };
  const cleanup = () => { for (const [emitter, event, listener] of listeners) emitter.removeListener(event, listener); };
  // Emits the error again if this was the only listener, so that it is still uncaught.
  const onError = function (err) {
    cleanup();
    if (EventEmitter.listenerCount(this, 'error') === 0) this.emit('error', err);
  };

  listen(source, 'data', (chunk) => {
    const full = dest.writable && dest.write(chunk) === false;
    if (full && source.pause) source.pause();
  });
  listen(dest, 'drain', () => { if (source.readable && source.resume) source.resume(); });
  if (!dest._isStdio && options?.end !== false) {
    const { end, close } = endOrDestroyOnce(dest);
    listen(source, 'end', end);
    listen(source, 'close', close);
  }
  listen(source, 'error', onError, true);
  listen(dest, 'error', onError, true);
  listen(source, 'end', cleanup);
  listen(source, 'close', cleanup);
  listen(dest, 'close', cleanup);
  dest.emit('pipe', source);
  return dest;
};

// Adds a listener before all others, also on emitters without prependListener().
function prependListener(emitter, event, listener) {
  if (typeof emitter.prependListener === 'function') {
    emitter.prependListener(event, listener);
    return;
  }
  const existing = emitter._events?.[event];
  if (existing) emitter._events[event] = [listener].concat(existing);
  else emitter.on(event, listener);
}

module.exports = { Stream, prependListener };
