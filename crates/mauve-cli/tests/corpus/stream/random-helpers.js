// Random combinations, with a fixed seed, of iterator helpers, Readable.from, pipelines of functions
// and abort signals. A counter of microtasks shows when each event happens.
const { Readable, PassThrough, Writable, addAbortSignal } = require('stream');
const { pipeline: pipelinePromise, finished } = require('stream/promises');

let seed;
function random(limit) {
  seed = (seed * 1103515245 + 12345) & 0x7fffffff;
  return (seed >> 8) % limit;
}
const chance = (percent) => random(100) < percent;

const lines = [];
let clock = 0;
function log(...parts) {
  const text = (part) => (part instanceof Error ? part.code || part.message : typeof part === 'string' ? part : JSON.stringify(part));
  lines.push(`${clock} ${parts.map(text).join(' ')}`);
}
// Counts drains of the microtask queue, up to a limit.
function startClock() {
  clock = 0;
  (function turn() {
    if (clock++ < 60) Promise.resolve().then(turn);
  })();
}

function* numbers(count, fail) {
  try {
    for (let i = 0; i < count; i++) {
      if (i === fail) throw new Error('source');
      yield i;
    }
  } finally {
    log('source over');
  }
}
async function* later(count, fail) {
  for (const n of numbers(count, fail)) {
    if (chance(50)) await null;
    yield n;
  }
}

function source() {
  const count = random(6);
  const fail = chance(15) ? random(4) : -1;
  const kinds = [
    () => Readable.from(numbers(count, fail)),
    () => Readable.from(later(count, fail)),
    () => Readable.from(Array.from({ length: count }, (_, i) => (chance(50) ? Promise.resolve(i) : i))),
    () => Readable.from(Array.from({ length: count }, (_, i) => i), { highWaterMark: 1 + random(3) }),
    () => {
      const stream = new PassThrough({ objectMode: true });
      for (let i = 0; i < count; i++) stream.write(i);
      setImmediate(() => stream.end());
      return stream;
    },
  ];
  return kinds[random(kinds.length)]();
}

function helper(stream) {
  const options = chance(40) ? { concurrency: 1 + random(3) } : undefined;
  const slow = chance(50);
  const fail = chance(10) ? random(4) : -1;
  const map = async (n) => {
    log('map', n);
    if (n === fail) throw new Error('map');
    if (slow) await new Promise((resolve) => setImmediate(resolve));
    return n * 10;
  };
  switch (random(8)) {
    case 0: return stream.map(map, options);
    case 1: return stream.map((n) => n + 1);
    case 2: return stream.filter((n) => n % 2 === 0, options);
    case 3: return stream.take(random(4));
    case 4: return stream.drop(random(3));
    case 5: return stream.flatMap((n) => [n, n]);
    case 6: return stream.map((n) => n + 2);
    default: return stream.compose(async function* (chunks) {
      for await (const chunk of chunks) yield chunk + 0.5;
    });
  }
}

function collect(name) {
  return new Writable({
    objectMode: true,
    highWaterMark: 1 + random(3),
    write(value, encoding, cb) {
      log(name, value);
      if (chance(50)) cb();
      else setImmediate(cb);
    },
  });
}

async function consume(stream) {
  switch (random(10)) {
    case 0: return stream.toArray();
    case 1: return stream.reduce((a, b) => a + b, 0);
    case 2: return stream.some((n) => n > 1);
    case 3: return stream.every((n) => n > 1);
    case 4: return stream.find((n) => n > 1);
    case 5: return stream.forEach((n) => log('each', n));
    case 6: {
      const got = [];
      for await (const value of stream) {
        got.push(value);
        if (chance(15)) break;
      }
      return got;
    }
    case 7: {
      const sink = collect('sink');
      await pipelinePromise(stream, sink);
      return sink.writableFinished;
    }
    case 8: return pipelinePromise(stream, async function* (chunks) {
      for await (const chunk of chunks) yield chunk;
    }, async (chunks) => {
      let sum = 0;
      for await (const chunk of chunks) sum += chunk;
      return sum;
    });
    default: {
      stream.on('data', (value) => log('data', value));
      await finished(stream);
      return 'finished';
    }
  }
}

function program() {
  let stream = source();
  for (let i = random(3); i > 0; i--) stream = helper(stream);
  for (const event of ['end', 'error', 'close']) stream.on(event, (err) => log(event, err ?? ''));
  if (chance(15)) {
    const controller = new AbortController();
    addAbortSignal(controller.signal, stream);
    setImmediate(() => controller.abort());
  }
  consume(stream).then((value) => log('result', value), (err) => log('failed', err));
}

process.on('uncaughtException', (err) => log('uncaught', err));
process.on('unhandledRejection', (err) => log('unhandled', err));
const PROGRAMS = 200;
function run(number) {
  if (number > PROGRAMS) {
    console.log(lines.join('\n'));
    return;
  }
  seed = number;
  startClock();
  log('program', number);
  program();
  let rounds = 0;
  setImmediate(function wait() {
    if (++rounds < 40) return setImmediate(wait);
    return run(number + 1);
  });
}
run(1);
