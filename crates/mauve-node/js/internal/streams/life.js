// The life of a stream: being constructed, used, destroyed and closed.
//
// There is one Life per stream. Both states of a duplex stream share it, so that neither side can
// outlive the other. 'error' and 'close' are emitted in this order, in a later tick, once.

const { AbortError, codes } = require('internal/errors');
const kinds = require('internal/streams/kinds');
const { isDestroyed, isSpent, joinErrors, struckDown } = require('internal/streams/condition');

// Each includes the ones before it.
const Fate = Object.freeze({ ALIVE: 0, DOOMED: 1, CLOSED: 2, GONE: 3 });

class Life {
  fate = Fate.ALIVE;
  // What it failed with first, and whether the program has been told.
  failure = null;
  failureTold = false;
  // False while _construct runs.
  ready = true;
  // What follows from fate and failure, worked out once, for every chunk asks: destroyed; closed, and
  // that has been told; neither destroyed nor failed.
  over = false;
  gone = false;
  sound = true;
  // Destruction that waits for the end of _construct.
  #postponed = null;

  become(fate, failure) {
    this.fate = fate;
    this.failure = failure;
    this.over = fate !== Fate.ALIVE;
    this.gone = fate === Fate.GONE;
    this.sound = !this.over && !failure;
  }

  // Sets or takes back a fate.
  decide(fate, reached) {
    this.become(reached ? Math.max(this.fate, fate) : Math.min(this.fate, fate - 1), this.failure);
  }

  note(err) {
    if (!err) return;
    // The stack is made when it is asked for first, and only now it still shows where this came from.
    void err.stack;
    if (!this.failure) this.become(this.fate, err);
  }

  tellFailure(stream, err) {
    if (this.failureTold) return;
    this.failureTold = true;
    stream.emit('error', err);
  }

  // Runs _construct before anything is read or written, if there is one.
  begin(stream, whenReady) {
    if (typeof stream._construct !== 'function') return;
    this.ready = false;
    process.nextTick(() => this.#construct(stream, whenReady));
  }

  #construct(stream, whenReady) {
    const settle = onlyOnce(
      (err) => {
        this.ready = true;
        if (this.over) this.#postponed?.(err);
        else if (err) fail(stream, err, true);
        else whenReady();
      },
      (err) => fail(stream, err ?? new codes.ERR_MULTIPLE_CALLBACK()),
    );
    attempt(
      (done) => stream._construct(done),
      (err) => process.nextTick(settle, err),
    );
  }

  destroy(stream, err, callback) {
    this.note(err);
    this.decide(Fate.DOOMED, true);
    if (this.ready) this.#close(stream, err, callback);
    else this.#postponed = (earlier) => this.#close(stream, joinErrors(earlier, err), callback);
  }

  #close(stream, reason, callback) {
    const settle = onlyOnce((err) => {
      this.note(err);
      this.decide(Fate.CLOSED, true);
      if (typeof callback === 'function') callback(err);
      process.nextTick(() => this.#leave(stream, err));
    });
    attempt((done) => stream._destroy(reason || null, done), settle);
  }

  #leave(stream, err) {
    if (err) this.tellFailure(stream, err);
    this.decide(Fate.GONE, true);
    if (stream._writableState?.emitClose || stream._readableState?.emitClose) stream.emit('close');
  }

  again() {
    this.become(Fate.ALIVE, null);
    this.failureTold = false;
    this.ready = true;
  }
}

// Calls a method of the program's that answers by callback; throwing is answering, too.
function attempt(method, done) {
  try {
    method(done);
  } catch (err) {
    done(err);
  }
}

function onlyOnce(fn, onRepeat) {
  let answered = false;
  return (err) => {
    if (answered) {
      onRepeat?.(err);
    } else {
      answered = true;
      fn(err);
    }
  };
}

const lifeOf = (stream) => (stream._writableState || stream._readableState)?.life;

// The methods of every stream that are about its end.
const lifeMethods = {
  destroy(err, callback) {
    const life = lifeOf(this);
    if (!life.over) life.destroy(this, err, callback);
    else if (typeof callback === 'function') callback();
    return this;
  },

  _destroy(err, callback) {
    callback(err);
  },

  // Back to the beginning: a socket may connect again.
  _undestroy() {
    lifeOf(this).again();
    this._readableState?.startAgain();
    this._writableState?.startAgain();
  },

  // A listener that is an async function has failed.
  [Symbol.for('nodejs.rejection')](err) {
    this.destroy(err);
  },
};

// What an error inside a stream leads to: its destruction or, if it does not destroy itself, the event
// alone. The stream may be of another make, so only what is public is asked of it.
function fail(stream, err, later = false) {
  const states = [stream._readableState, stream._writableState].filter(Boolean);
  if (states.some((state) => state.destroyed)) return;
  if (states.some((state) => state.autoDestroy)) {
    stream.destroy(err);
    return;
  }
  if (!err) return;
  const life = lifeOf(stream);
  life?.note(err);
  const tell = () => (life ? life.tellFailure(stream, err) : stream.emit('error', err));
  if (later) process.nextTick(tell);
  else tell();
}

// Destroys whatever this is, in the way that it offers.
function destroyAny(stream, err) {
  if (!stream || isDestroyed(stream)) return;
  if (!err && !isSpent(stream)) err = new AbortError();
  if (kinds.serverRequest(stream)) {
    stream.socket = null;
    stream.destroy(err);
  } else {
    const request = [stream, stream.req].find(kinds.clientRequest);
    if (request) request.abort();
    else if (typeof stream.destroy === 'function') stream.destroy(err);
    else if (typeof stream.close === 'function') stream.close();
    else process.nextTick(pretendClosed, stream, err);
  }
  if (!stream.destroyed) struckDown.add(stream);
}

function pretendClosed(stream, err) {
  if (err) stream.emit('error', err);
  stream.emit('close');
}

module.exports = { Fate, Life, destroyAny, fail, lifeMethods };
