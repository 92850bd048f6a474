// The oldest kind of stream: an emitter of 'data' and 'end' that can be piped.

const EventEmitter = require('events');

function Stream(options) {
  EventEmitter.call(this, options);
}
Object.setPrototypeOf(Stream.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Stream, EventEmitter);

// Ends the destination when the source has ended, or destroys it when the source has just closed;
// whichever comes first.
function passOnTheEnd(dest) {
  let passed = false;
  const first = (act) => () => {
    if (passed) return;
    passed = true;
    act();
  };
  return {
    end: first(() => dest.end()),
    close: first(() => {
      if (typeof dest.destroy === 'function') dest.destroy();
    }),
  };
}

Stream.prototype.pipe = function pipe(dest, options) {
  // biome-ignore lint/complexity/noUselessThisAlias: a name for the other end than `dest`
  const source = this;
  // Every listener of this pipe, as [emitter, event, listener], for the day it is taken apart.
  const laid = [];
  const lay = (emitter, event, listener, how = 'on') => {
    laid.push([emitter, event, listener]);
    if (how === 'first') listenFirst(emitter, event, listener);
    else emitter.on(event, listener);
  };
  const takeApart = () => {
    for (const [emitter, event, listener] of laid) emitter.removeListener(event, listener);
  };
  // Our own listener must not hide an error that nobody else listens for.
  const failed = function (err) {
    takeApart();
    if (EventEmitter.listenerCount(this, 'error') === 0) this.emit('error', err);
  };

  lay(source, 'data', (chunk) => {
    const full = dest.writable && dest.write(chunk) === false;
    if (full && source.pause) source.pause();
  });
  lay(dest, 'drain', () => {
    if (source.readable && source.resume) source.resume();
  });
  if (!dest._isStdio && options?.end !== false) {
    const { end, close } = passOnTheEnd(dest);
    lay(source, 'end', end);
    lay(source, 'close', close);
  }
  lay(source, 'error', failed, 'first');
  lay(dest, 'error', failed, 'first');
  lay(source, 'end', takeApart);
  lay(source, 'close', takeApart);
  lay(dest, 'close', takeApart);
  dest.emit('pipe', source);
  return dest;
};

// Puts a listener before all others, also on emitters that have no method for it.
function listenFirst(emitter, event, listener) {
  if (typeof emitter.prependListener === 'function') {
    emitter.prependListener(event, listener);
    return;
  }
  const there = emitter._events?.[event];
  if (there) emitter._events[event] = [listener].concat(there);
  else emitter.on(event, listener);
}

module.exports = { Stream, listenFirst };
