// Random combinations of streams, with a fixed seed: compose, Duplex.from, duplexPair, wrap, old-style
// emitters, several destinations, and the states of all streams in between.
const stream = require('stream');
const EventEmitter = require('events');
const { Duplex, PassThrough, Readable, Transform, Writable, compose, duplexPair, finished, pipeline } = stream;

let seed;
function random(limit) {
  seed = (seed * 1103515245 + 12345) & 0x7fffffff;
  return (seed >> 8) % limit;
}
const chance = (percent) => random(100) < percent;

const lines = [];
const text = (part) => {
  if (part instanceof Error) return part.code || part.message;
  return Buffer.isBuffer(part) ? `<${part}>` : String(part);
};
const log = (...parts) => lines.push(parts.map(text).join(' '));

const READING = ['objectMode', 'highWaterMark', 'length', 'flowing', 'ended', 'endEmitted', 'reading', 'needReadable',
  'readableListening', 'resumeScheduled', 'destroyed', 'errored', 'closed', 'errorEmitted', 'closeEmitted'];
const WRITING = ['objectMode', 'highWaterMark', 'length', 'needDrain', 'ending', 'ended', 'finished', 'destroyed',
  'corked', 'writing', 'errored', 'closed', 'errorEmitted', 'closeEmitted', 'pendingcb', 'prefinished'];
function describe(s, name) {
  const show = (state, fields) => fields.map((field) => text(state[field])).join(',');
  if (s._readableState) log(name, 'R', show(s._readableState, READING), s.isPaused?.());
  if (s._writableState) log(name, 'W', show(s._writableState, WRITING));
  log(name, s.readable, s.writable, s.readableAborted, s.readableDidRead, s.writableNeedDrain,
    stream.isReadable(s), stream.isErrored(s), stream.isDisturbed(s));
}

const later = (fn) => {
  const when = random(4);
  if (when === 0) fn();
  else if (when === 1) process.nextTick(fn);
  else if (when === 2) queueMicrotask(fn);
  else setImmediate(fn);
};

const EVENTS = ['end', 'error', 'close', 'finish', 'drain', 'pause', 'resume', 'pipe', 'unpipe'];
function watch(s, name) {
  for (const event of EVENTS) s.on(event, (value) => log(name, event, value instanceof Error ? value : ''));
  if (s.read && chance(50)) s.on('data', (chunk) => log(name, 'data', chunk));
  if (s.read && chance(20)) s.on('readable', () => log(name, 'readable', s.read()));
  if (chance(50)) finished(s, (err) => log(name, 'finished', err));
  return s;
}

function marks() {
  const result = { objectMode: chance(30) };
  if (chance(50)) result.highWaterMark = [0, 1, 3, 10][random(4)];
  if (chance(10)) result.emitClose = false;
  if (chance(10)) result.autoDestroy = false;
  return result;
}

function readable() {
  let left = random(5);
  return new Readable({
    ...marks(),
    read() {
      later(() => {
        if (chance(5)) this.destroy(new Error('source'));
        else this.push(left-- > 0 ? 'abcdefg'.slice(random(6)) : null);
      });
    },
  });
}

function writable() {
  const failing = chance(10);
  return new Writable({
    ...marks(),
    write(chunk, encoding, cb) {
      log('sink', chunk);
      later(() => cb(failing && chance(30) ? new Error('sink') : null));
    },
  });
}

function transform() {
  const failing = chance(10);
  return new Transform({
    ...marks(),
    transform(chunk, encoding, cb) {
      later(() => cb(failing && chance(30) ? new Error('middle') : null, `${chunk}!`));
    },
    flush(cb) {
      later(() => cb(null, chance(50) ? 'flushed' : null));
    },
  });
}

async function* shouting(source) {
  for await (const chunk of source) {
    if (chance(5)) throw new Error('generator');
    yield String(chunk).toUpperCase();
  }
}

async function swallow(source) {
  for await (const chunk of source) log('swallowed', chunk);
  if (chance(10)) return 'too much';
  return undefined;
}

// An old-style stream: an emitter without state.
function old() {
  const emitter = new stream();
  let left = random(4);
  emitter.readable = true;
  emitter.pause = () => log('old paused');
  emitter.resume = () => log('old resumed');
  setImmediate(function next() {
    if (left-- > 0) {
      emitter.emit('data', Buffer.from(`old${left}`));
      setImmediate(next);
    } else if (chance(10)) {
      emitter.emit('error', new Error('old'));
    } else {
      emitter.emit(chance(80) ? 'end' : 'close');
    }
  });
  return emitter;
}

function duplexes() {
  switch (random(12)) {
    case 0: return compose(transform(), transform());
    case 1: return compose(readable(), transform());
    case 2: return compose(transform(), writable());
    case 3: return compose(transform(), shouting);
    case 4: return compose(shouting, transform(), shouting);
    case 5: return Duplex.from({ readable: readable(), writable: writable() });
    case 6: return Duplex.from(shouting);
    case 7: return Duplex.from(swallow);
    case 8: return Duplex.from(new Promise((resolve, reject) => setImmediate(chance(80) ? resolve : reject, chance(50) ? 'promised' : null)));
    case 9: return Duplex.from(chance(50) ? readable() : writable());
    case 10: return new Duplex({ ...marks(), allowHalfOpen: chance(50), readable: chance(70), writable: chance(70), read() { this.push(null); }, write(c, e, cb) { later(cb); } });
    default: return Duplex.from(['x', 'y', Promise.resolve('z')]);
  }
}

function program() {
  const all = [];
  const add = (s, name) => (all.push([watch(s, name), name]), s);
  const shape = random(7);
  if (shape === 0) {
    const [a, b] = duplexPair(marks());
    add(a, 'a');
    add(b, 'b');
    if (chance(30)) b.pipe(b);
  } else if (shape === 1) {
    add(new Readable(marks()).wrap(old()), 'wrapped');
  } else if (shape === 2) {
    const sink = add(writable(), 'w');
    const source = old();
    source.on('error', (err) => log('old error', err));
    source.pipe(sink, chance(20) ? { end: false } : undefined);
  } else if (shape === 3) {
    const source = add(readable(), 'r');
    for (let i = random(3); i >= 0; i--) {
      const sink = add(writable(), `w${i}`);
      source.pipe(sink);
      if (chance(30)) setImmediate(() => source.unpipe(chance(50) ? sink : undefined));
    }
  } else if (shape === 4) {
    const controller = new AbortController();
    const given = chance(30) ? { signal: controller.signal } : chance(30) ? { end: false } : {};
    const sink = add(chance(50) ? writable() : new PassThrough(), 'sink');
    stream.promises.pipeline(readable(), chance(50) ? shouting : transform(), sink, given)
      .then((value) => log('pipeline', value), (err) => log('pipeline failed', err));
    if (chance(40)) setImmediate(() => controller.abort());
  } else if (shape === 5) {
    // Node 24 loses the callback if the stream cannot be written.
    const middle = duplexes();
    if (stream.isWritable(middle)) pipeline(['p', 'q', 'r'], middle, chance(50) ? swallow : writable(), (err, value) => log('pipeline', err, value));
  } else {
    add(duplexes(), 'd');
  }
  const act = (s, name) => {
    const which = random(11);
    log(name, 'act', which);
    if (which < 4 && s.write) log(name, s.write('w'.repeat(random(6)), chance(50) ? (err) => log(name, 'wrote', err) : undefined));
    else if (which === 4 && s.end) s.end(chance(50) ? (err) => log(name, 'ended', err) : undefined);
    else if (which === 5 && s.read) log(name, s.read());
    else if (which === 6 && s.setEncoding && s.read) s.setEncoding('utf8');
    else if (which === 7 && s.read) s.removeAllListeners('readable');
    else if (which === 8 && s.resume) s.resume();
    else if (which === 9 && chance(30)) s.destroy(chance(50) ? new Error('by hand') : null);
    else if (which === 10 && s.cork) (s.cork(), setImmediate(() => s.uncork()));
    describe(s, name);
  };
  for (let i = all.length ? random(8) : 0; i > 0; i--) {
    const [s, name] = all[random(all.length)];
    later(() => act(s, name));
  }
  return () => all.forEach(([s, name]) => describe(s, name));
}

process.on('uncaughtException', (err) => log('uncaught', err));
process.on('unhandledRejection', (err) => log('unhandled', err));
EventEmitter.defaultMaxListeners = 0;
// In number 267 node 24 loses the callback of a pipeline whose end the program has ended.
const PROGRAMS = 266;
function run(number) {
  if (number > PROGRAMS) {
    console.log(lines.join('\n'));
    return;
  }
  seed = number;
  log('program', number);
  const conclude = program();
  let rounds = 0;
  setImmediate(function wait() {
    if (++rounds < 40) return setImmediate(wait);
    conclude();
    return run(number + 1);
  });
}
run(1);
