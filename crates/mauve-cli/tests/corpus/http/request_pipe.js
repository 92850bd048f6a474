// Requests that are piped to their responses, or to other streams.
'use strict';
const { PassThrough, Writable } = require('stream');
const { ALL, chain, counts, later, note, runAll, state, watch } = require('./fixtures/request_handlers');

const R_EVENTS = ['pipe', 'unpipe', 'drain', 'error', 'close', 'prefinish'];
const rCounts = (r) => R_EVENTS.map((event) => r.listenerCount(event)).join('');
const pipes = (q) => [q._readableState.pipes.length, state(q), counts(q)].join(' ');

// Pipes the request to the response after `before`.
const plain = (before = () => {}, after = () => {}) => (q, r) => {
  before(q, r);
  note(q.pipe(r) === r);
  after(q, r);
};

// A writable stream that is always full, and drains later.
function slow(r) {
  const dest = new Writable({
    highWaterMark: 1,
    write(chunk, encoding, callback) {
      note('write', chunk.length);
      later(callback, 3);
    },
  });
  dest.on('finish', () => r.end('ok'));
  return dest;
}

const handlers = {
  plain: plain(),
  jobs: plain(() => chain('handler'), () => chain('pipe')),
  counts: plain(undefined, (q, r) => note(counts(q), rCounts(r), q.eventNames().sort(), r.eventNames().sort())),
  pipes: plain(undefined, (q) => note(pipes(q))),
  countsLater: plain((q, r) => {
    const show = () => note(counts(q), rCounts(r));
    q.on('end', show);
    r.on('finish', show).on('close', show);
  }),
  countsAfter: plain(undefined, (q, r) => {
    for (const event of ['finish', 'close']) r.on(event, () => note(event, counts(q), rCounts(r)));
  }),
  stateAfter: plain(undefined, (q, r) => {
    r.on('finish', () => process.nextTick(() => note(pipes(q), rCounts(r))));
    r.on('close', () => later(() => note(pipes(q), rCounts(r)), 2));
  }),
  stateOfEvents: plain((q, r) => {
    for (const event of ['end', 'close']) q.on(event, () => note(event, pipes(q)));
    for (const event of ['finish', 'close', 'unpipe']) r.on(event, () => note(event, pipes(q)));
  }),
  stateOfTicks: plain(undefined, (q) => {
    process.nextTick(() => {
      note('tick', counts(q));
      process.nextTick(() => note('tick', pipes(q)));
    });
  }),
  events: plain((q, r) => {
    watch('q', q, ['data', 'pause', 'resume', ...ALL]);
    watch('r', r, ['pipe', 'unpipe', 'finish', 'close', 'prefinish']);
  }),
  eventsOfResponse: plain((q, r) => watch('r', r, ['pipe', 'unpipe', 'finish', 'close', 'prefinish'])),
  eventsAfter: plain(undefined, (q, r) => {
    watch('q', q, ['data', 'pause', 'resume', ...ALL]);
    watch('r', r, ['pipe', 'unpipe', 'finish', 'close', 'prefinish']);
  }),
  pauseEvent: plain((q) => q.on('pause', () => note('pause', counts(q)))),
  removeEvents: plain((q, r) => r.on('removeListener', (event) => note('r removes', event))),
  newEvents: plain((q, r) => {
    q.on('newListener', (event) => note('q adds', event));
    r.on('newListener', (event) => note('r adds', event));
  }),
  head: plain((q, r) => {
    r.setHeader('X-A', '1');
    r.writeHead(201, { 'Content-Type': 'text/plain' });
  }),
  unpipe: plain(undefined, (q, r) => {
    q.unpipe(r);
    note(pipes(q), rCounts(r));
    r.end('ok');
  }),
  unpipeAll: plain(undefined, (q, r) => {
    q.unpipe();
    note(pipes(q), rCounts(r));
    r.end('ok');
  }),
  unpipeOther: plain(undefined, (q) => q.unpipe(new PassThrough())),
  unpipeInData(q, r) {
    q.pipe(r);
    q.once('data', () => {
      q.unpipe(r);
      note(pipes(q), rCounts(r));
      later(() => {
        q.on('data', (part) => r.write(part));
        q.on('end', () => r.end());
        q.resume();
      });
    });
  },
  unpipeInEnd(q, r) {
    q.pipe(r);
    q.on('end', () => {
      q.unpipe(r);
      note(pipes(q), rCounts(r));
    });
  },
  unpipeThenPipe(q, r) {
    q.pipe(r);
    q.unpipe(r);
    later(() => q.pipe(r));
  },
  twice(q, r) {
    q.pipe(r);
    const other = q.pipe(new PassThrough());
    other.on('data', (part) => note('other', part.length)).on('end', () => note('other end'));
    note(pipes(q), rCounts(r));
  },
  sameTwice(q, r) {
    q.pipe(r);
    q.pipe(r);
    note(pipes(q), rCounts(r));
  },
  through(q, r) {
    q.pipe(new PassThrough()).pipe(r);
  },
  slow(q, r) {
    watch('q', q, ['pause', 'resume', ...ALL]);
    q.pipe(slow(r));
  },
  slowAlone: (q, r) => { q.pipe(slow(r)); },
  keepsOpen(q, r) {
    q.pipe(r, { end: false });
    q.on('end', () => r.end('ok'));
  },
  late(q, r) {
    later(() => {
      chain('late');
      q.pipe(r);
    }, 30);
  },
  afterEnd(q, r) {
    q.resume();
    q.on('end', () => later(() => q.pipe(r)));
  },
  dataBefore: plain((q) => q.on('data', (part) => note('data', part.length))),
  dataAfter: plain(undefined, (q) => q.on('data', (part) => note('data', part.length))),
  readableAfter: plain(undefined, (q) => q.on('readable', () => note('readable', q.readableLength))),
  resumed: plain((q) => q.resume(), (q) => q.resume()),
  paused: plain(undefined, (q) => {
    q.pause();
    later(() => q.resume());
  }),
  encoding: plain((q) => q.setEncoding('utf8')),
  encodingAfter: plain(undefined, (q) => q.setEncoding('utf8')),
  encodingInData(q, r) {
    q.pipe(r);
    q.on('data', () => q.setEncoding('utf8'));
  },
  destroys(q, r) {
    watch('q', q, ALL);
    watch('r', r, ['unpipe', 'close']);
    q.pipe(r);
    later(() => q.destroy());
  },
  destroysResponse(q, r) {
    watch('q', q, ALL);
    watch('r', r, ['unpipe', 'close']);
    q.pipe(r);
    later(() => r.destroy());
  },
  endsEarly(q, r) {
    r.on('error', (err) => note('error', err.code));
    watch('r', r, ['unpipe', 'finish', 'close']);
    q.pipe(r);
    r.end('ok');
  },
  emitsError(q, r) {
    r.on('error', (err) => note('error', err.message));
    q.pipe(r);
    r.emit('error', new Error('emitted'));
    note(pipes(q), rCounts(r));
    r.end('ok');
  },
  emitsClose(q, r) {
    q.pipe(r);
    r.emit('close');
    note(pipes(q), rCounts(r));
    r.end('ok');
  },
  emitsUnpipe(q, r) {
    q.pipe(r);
    r.emit('unpipe', q, { hasUnpiped: false });
    note(pipes(q), rCounts(r));
    r.end('ok');
  },
  replacedWrite: plain((q, r) => {
    const { write } = r;
    r.write = function (chunk, ...rest) {
      note('write', chunk.length);
      return write.call(this, chunk, ...rest);
    };
  }),
  replacedOn: plain((q, r) => {
    for (const [name, stream] of [['q', q], ['r', r]]) {
      const { on } = stream;
      stream.on = function (event, listener) {
        note(name, 'on', event);
        return on.call(this, event, listener);
      };
    }
  }),
  replacedEmit: plain((q) => {
    const { emit } = q;
    q.emit = function (event, ...args) {
      note('emit', event);
      return emit.call(this, event, ...args);
    };
  }),
  full: plain((q, r) => {
    Object.defineProperty(r, 'writableNeedDrain', { value: true });
    later(() => r.emit('drain'), 10);
  }, (q) => note(pipes(q))),
  fullLater(q, r) {
    const { write } = r;
    r.write = function (chunk) {
      write.call(this, chunk);
      later(() => r.emit('drain'), 3);
      return false;
    };
    watch('q', q, ['pause', 'resume', ...ALL]);
    q.pipe(r);
  },
};

runAll(handlers);
