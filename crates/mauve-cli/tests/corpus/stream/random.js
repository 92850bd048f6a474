// Random operations on streams, with a fixed seed: the order of all events and calls.
const { Readable, Writable, Transform, PassThrough, pipeline, finished } = require('stream');

let seed;
function random(limit) {
  seed = (seed * 1103515245 + 12345) & 0x7fffffff;
  return (seed >> 8) % limit;
}
const chance = (percent) => random(100) < percent;

const lines = [];
function log(...parts) {
  const text = (part) => {
    if (part instanceof Error) return part.code || part.message;
    return Buffer.isBuffer(part) ? `<${part}>` : String(part);
  };
  lines.push(parts.map(text).join(' '));
}

// Runs a function now, or in one of the queues.
function sometime(fn) {
  const when = random(5);
  const run = () => {
    log('queue', when);
    fn();
  };
  if (when === 0) run();
  else if (when === 1) process.nextTick(run);
  else if (when === 2) Promise.resolve().then(run);
  else if (when === 3) setImmediate(run);
  else queueMicrotask(run);
}

function options() {
  const result = {};
  if (chance(40)) result.highWaterMark = [0, 1, 2, 3, 5, 16, 100][random(7)];
  if (chance(15)) result.autoDestroy = false;
  if (chance(10)) result.emitClose = false;
  if (chance(15)) result.objectMode = true;
  if (chance(10)) result.encoding = 'utf8';
  if (chance(10)) result.decodeStrings = false;
  return result;
}

const EVENTS = ['end', 'error', 'close', 'finish', 'drain', 'pause', 'resume', 'pipe', 'unpipe', 'prefinish'];
function watch(stream, name) {
  for (const event of EVENTS) stream.on(event, (value) => log(name, event, value instanceof Error ? value : ''));
  if (chance(40)) stream.on('data', (chunk) => log(name, 'data', chunk));
  if (chance(25)) {
    const size = [undefined, undefined, 3, 0][random(4)];
    stream.on('readable', () => log(name, 'readable', stream.readableLength, size === 0 ? '' : stream.read(size)));
  }
  return stream;
}

const respond = (name, style, fn) => {
  if (style === 0) fn();
  else if (style === 1) sometime(fn);
  else if (chance(50)) fn();
  else process.nextTick(fn);
};
const failing = (percent, message) => (chance(percent) ? new Error(message) : undefined);

function common(name) {
  const result = options();
  if (chance(15)) {
    result.construct = (cb) => {
      log(name, '_construct');
      sometime(() => cb(failing(10, 'construct')));
    };
  }
  if (chance(20)) {
    result.destroy = (err, cb) => {
      log(name, '_destroy', err);
      sometime(() => cb(err));
    };
  }
  return result;
}

function source(name) {
  let left = random(6);
  const style = random(3);
  return watch(new Readable({
    ...common(name),
    read(size) {
      log(name, '_read', size);
      respond(name, style, () => {
        if (chance(4)) this.destroy(new Error('read'));
        else if (left-- <= 0) this.push(null);
        else for (let i = random(2); i >= 0; i--) log(name, 'push', this.push('abcdefghij'.slice(0, 1 + random(9))));
      });
    },
  }), name);
}

function sink(name) {
  const style = random(3);
  const methods = {
    ...common(name),
    write(chunk, encoding, cb) {
      log(name, '_write', chunk.length, encoding);
      respond(name, style, () => cb(failing(4, 'write')));
    },
  };
  if (chance(30)) methods.writev = (chunks, cb) => (log(name, '_writev', chunks.length), sometime(() => cb()));
  if (chance(30)) methods.final = (cb) => (log(name, '_final'), sometime(() => cb(failing(10, 'final'))));
  return watch(new Writable(methods), name);
}

function middle(name) {
  const style = random(3);
  const methods = {
    ...common(name),
    transform(chunk, encoding, cb) {
      log(name, '_transform', chunk.length);
      respond(name, style, () => {
        if (chance(20)) this.push('zz');
        const err = failing(4, 'transform');
        if (err) cb(err);
        else cb(null, chance(80) ? chunk : undefined);
      });
    },
  };
  if (chance(40)) methods.flush = (cb) => (log(name, '_flush'), sometime(() => cb(null, chance(50) ? 'fl' : undefined)));
  if (chance(10)) methods.allowHalfOpen = false;
  return watch(chance(20) ? new PassThrough(methods) : new Transform(methods), name);
}

// A random operation on a stream.
function act(stream, name) {
  const which = random(12);
  const written = chance(50) ? (err) => log(name, 'written', err) : undefined;
  log(name, 'act', which);
  try {
    if (stream.write && which < 5) log(name, stream.write('x'.repeat(random(8)), written));
    else if (stream.write && which === 5) stream.end(chance(50) ? 'last' : undefined, written);
    else if (stream.write && which === 6) (stream.cork(), sometime(() => stream.uncork()));
    else if (stream.read && which === 7) log(name, stream.read(chance(50) ? undefined : random(5)));
    else if (stream.pause && which === 8) stream.pause();
    else if (stream.resume && which === 9) stream.resume();
    else if (which === 10 && chance(30)) stream.destroy(failing(50, 'destroyed'));
    else if (stream.unshift && which === 11 && chance(50)) stream.unshift('U');
  } catch (err) {
    log(name, 'threw', err);
  }
}

async function iterate(stream) {
  const stop = chance(30) ? random(3) : -1;
  let count = 0;
  try {
    for await (const chunk of stream) {
      log('iterated', chunk);
      if (count++ === stop) break;
    }
    log('iterated all');
  } catch (err) {
    log('iterating failed', err);
  }
}

function program() {
  const streams = [];
  const add = (stream, name) => (streams.push([stream, name]), stream);
  const shape = random(5);
  if (shape === 0) {
    const r = add(source('r'), 'r');
    const w = add(sink('w'), 'w');
    r.pipe(w, chance(15) ? { end: false } : undefined);
    if (chance(20)) r.pipe(add(sink('w2'), 'w2'));
    if (chance(15)) sometime(() => r.unpipe(chance(50) ? w : undefined));
  } else if (shape === 1) {
    const [r, t, w] = [add(source('r'), 'r'), add(middle('t'), 't'), add(sink('w'), 'w')];
    if (chance(50)) pipeline(r, t, w, (err) => log('pipeline', err));
    else r.pipe(t).pipe(w);
  } else if (shape === 2) {
    add(middle('t'), 't');
  } else if (shape === 3) {
    const r = add(source('r'), 'r');
    if (chance(50)) iterate(r);
  } else {
    add(sink('w'), 'w');
  }
  for (const [stream, name] of streams) if (chance(50)) finished(stream, (err) => log(name, 'finished', err));
  for (let i = random(7); i > 0; i--) {
    const [stream, name] = streams[random(streams.length)];
    if (chance(50)) act(stream, name);
    else sometime(() => act(stream, name));
  }
  return () => {
    for (const [s, name] of streams) log(name, s.destroyed, s.closed, s.readableEnded, s.writableFinished, s.readableFlowing, s.readableLength, s.writableLength, s.errored);
  };
}

process.on('uncaughtException', (err) => log('uncaught', err));
const PROGRAMS = 300;
function run(number) {
  if (number > PROGRAMS) {
    console.log(lines.join('\n'));
    return;
  }
  seed = number;
  log('program', number);
  const conclude = program();
  let rounds = 0;
  // Waits for all immediates of one program. Timers would make the order nondeterministic.
  setImmediate(function wait() {
    if (++rounds < 40) return setImmediate(wait);
    conclude();
    return run(number + 1);
  });
}
run(1);
