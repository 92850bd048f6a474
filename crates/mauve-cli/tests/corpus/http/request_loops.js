// Requests that are read with `for await`.
'use strict';
const { PassThrough, finished } = require('stream');
const { ALL, chain, counts, later, note, reason, runAll, state, watch } = require('./fixtures/request_handlers');

const pause = (count) => new Promise((resolve) => { later(resolve, count); });

// Reads the request after `before`, and calls `during` with each chunk.
const plain = (before = () => {}, during = () => {}, after = () => {}) => async (q, r) => {
  before(q, r);
  try {
    for await (const chunk of q) {
      note('chunk', String(chunk), state(q));
      await during(q, chunk);
    }
    note('done');
  } catch (err) {
    note('caught', reason(err));
  }
  after(q, r);
  if (!r.writableEnded) r.end('ok');
};

// Reads the request, and calls `action` while it does.
const whilst = (action) => plain((q, r) => process.nextTick(() => act(action, q, r)));
const soon = (action) => plain((q, r) => later(() => act(action, q, r), 8));

// Ends the response later, because the loop may never end.
function act(action, q, r) {
  action(q, r);
  later(() => {
    if (!r.writableEnded) r.end('ok');
  }, 60);
}

const handlers = {
  plain: plain(),
  async sum(q, r) {
    let size = 0;
    for await (const chunk of q) size += chunk.length;
    note('size', size);
    r.end('ok');
  },
  async jobs(q, r) {
    chain('handler');
    for await (const chunk of q) {
      note('chunk', String(chunk));
      chain('body');
    }
    chain('end');
    note('done');
    r.end('ok');
  },
  async jobsWithoutTicks(q, r) {
    let job = 0;
    const spin = () => {
      note('job', ++job);
      if (job < 60) queueMicrotask(spin);
    };
    spin();
    for await (const chunk of q) note('chunk', String(chunk));
    note('done');
    r.end('ok');
  },
  events: plain((q) => watch('q', q, [...ALL, 'pause', 'resume'])),
  readable: plain((q) => watch('q', q, ['readable'])),
  data: plain((q) => watch('q', q, ['data'])),
  prepended: whilst((q) => {
    for (const event of ['data', 'readable', 'end', 'close']) q.prependListener(event, () => note(event));
  }),
  counts: plain((q) => process.nextTick(() => note(counts(q))), (q) => note(counts(q)), (q) => note(counts(q))),
  afterwards: plain(undefined, undefined, (q, r) => r.on('close', () => later(() => note(state(q), counts(q)), 2))),
  slow: plain(undefined, () => pause(3)),
  slower: plain(undefined, () => pause(20)),
  async late(q, r) {
    await null;
    return plain()(q, r);
  },
  async later(q, r) {
    await pause(20);
    chain('later');
    return plain()(q, r);
  },
  async breaks(q, r) {
    for await (const chunk of q) {
      note('chunk', String(chunk));
      chain('break');
      break;
    }
    note('done', state(q));
    r.end('ok');
    later(() => note(state(q), counts(q)), 4);
  },
  async returns(q, r) {
    const first = await (async () => {
      for await (const chunk of q) return chunk;
      return 'none';
    })();
    note('first', String(first), state(q));
    r.end('ok');
  },
  two(q, r) {
    plain()(q, r);
    return plain()(q, r);
  },
  async again(q, r) {
    for await (const chunk of q) note('first', String(chunk));
    for await (const chunk of q) note('second', String(chunk));
    note('done');
    r.end('ok');
  },
  manual: async (q, r) => {
    const iterator = q[Symbol.asyncIterator]();
    note(Object.prototype.toString.call(iterator), Object.keys(iterator));
    for (let result = await iterator.next(); !result.done; result = await iterator.next()) note(String(result.value));
    r.end('ok');
  },
  kept: async (q, r) => {
    for await (const chunk of q.iterator({ destroyOnReturn: false })) {
      note(String(chunk));
      break;
    }
    note(state(q), counts(q));
    for await (const chunk of q) note(String(chunk));
    r.end('ok');
  },
  pauses: whilst((q) => q.pause()),
  resumes: whilst((q) => q.resume()),
  resumesLater: soon((q) => q.resume()),
  reads: whilst((q) => note('read', q.read(2))),
  decodes: whilst((q) => q.setEncoding('hex')),
  decodesFirst: plain((q) => q.setEncoding('utf8')),
  unshifts: plain(undefined, (q, chunk) => { if (chunk.length > 3 && !q.complete) q.unshift(chunk.subarray(5)); }),
  pipes: whilst((q) => q.pipe(new PassThrough()).on('data', (chunk) => note('piped', String(chunk)))),
  removesAll: whilst((q) => q.removeAllListeners()),
  removesAllLater: soon((q) => q.removeAllListeners()),
  removesEnd: whilst((q) => q.removeAllListeners('end')),
  removesClose: soon((q) => q.removeAllListeners('close')),
  removesOne: whilst((q) => {
    for (const event of ['close', 'end', 'readable']) q.removeListener(event, q.listeners(event)[0]);
  }),
  removesError: soon((q) => q.removeAllListeners('error')),
  destroys: whilst((q) => q.destroy()),
  destroysLater: soon((q) => q.destroy(new Error('x'))),
  destroysWithin: plain(undefined, (q) => { q.destroy(); }),
  emits: whilst((q) => note(q.emit('readable'), q.emit('finish'), q.emit('end'))),
  emitsClose: whilst((q) => note(q.emit('close'))),
  emitsError: soon((q) => note(q.emit('error', new Error('emitted')))),
  finished: plain((q) => finished(q, (err) => note('finished', err?.code))),
  finishedLater: soon((q) => finished(q, (err) => note('finished', err?.code))),
  endsFirst: plain((q, r) => r.end('early')),
  endsWithin: plain((q, r) => later(() => r.end('early'), 3), () => pause(6)),
  replacesEmit: plain((q) => {
    const { emit } = q;
    q.emit = (...args) => {
      note('emit', args[0]);
      return emit.apply(q, args);
    };
  }),
  replacesLater: whilst((q) => {
    const { emit, read, push, destroy } = q;
    q.emit = (...args) => { note('emit', args[0]); return emit.apply(q, args); };
    q.read = (size) => { note('read'); return read.call(q, size); };
    q.push = (chunk) => { note('push', chunk); return push.call(q, chunk); };
    q.destroy = (err) => { note('destroy', err); return destroy.call(q, err); };
  }),
  newListener: plain((q) => q.on('newListener', (event) => note('new', event))),
  keepsOpen: soon((q) => { q._readableState.autoDestroy = false; }),
  socketPauses: whilst((q) => q.socket.pause()),
};

process.on('unhandledRejection', (err) => note('unhandled', reason(err)));
runAll(handlers);
