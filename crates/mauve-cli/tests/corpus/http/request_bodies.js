// The events of requests with bodies, and their state, for handlers that read them in different ways.
'use strict';
const http = require('http');
const net = require('net');

const log = [];
const note = (...words) => log.push(words.join(' '));

// Calls back after several iterations of the loop.
function later(callback, count = 5) {
  if (count === 0) callback();
  else setImmediate(later, callback, count - 1);
}

function watch(name, stream, events) {
  for (const event of events) {
    stream.on(event, (value) => note(name, event, Buffer.isBuffer(value) ? String(value).slice(0, 12) : ''));
  }
}

function state(q) {
  return [
    q.readableFlowing, q.readableLength, q.readableEnded, q.readableDidRead, q.complete, q.destroyed, q.closed,
    q.isPaused(), q.readableAborted, q._readableState.ended,
  ].join();
}

const ALL = ['end', 'close', 'error', 'aborted'];

const handlers = {
  data(q, r) {
    watch('q', q, ['data', ...ALL]);
    watch('r', r, ['finish', 'close', 'prefinish']);
    process.nextTick(note, 'tick after handler');
    Promise.resolve().then(() => note('microtask after handler'));
    q.on('end', () => r.end('ok'));
  },
  ends(q, r) {
    watch('q', q, ALL);
    watch('r', r, ['finish', 'close']);
    q.resume();
    q.on('end', () => r.end('ok'));
  },
  ignored(q, r) {
    watch('r', r, ['finish', 'close']);
    r.end('ok');
  },
  ignoredWithListeners(q, r) {
    watch('q', q, ALL);
    watch('r', r, ['finish', 'close']);
    r.end('ok');
  },
  listenOnFinish(q, r) {
    watch('r', r, ['finish', 'close']);
    r.on('finish', () => watch('q', q, ALL));
    r.end('ok');
  },
  listenOnClose(q, r) {
    r.on('close', () => watch('q', q, ALL));
    r.end('ok');
  },
  lateData(q, r) {
    later(() => {
      note('late', state(q));
      watch('q', q, ['data', ...ALL]);
      q.on('end', () => r.end('ok'));
    });
  },
  lateReadable(q, r) {
    later(() => {
      q.on('readable', () => {
        note('readable', state(q));
        for (let part; (part = q.read()) !== null;) note('read', String(part).slice(0, 12));
      });
      watch('q', q, ALL);
      q.on('end', () => r.end('ok'));
    });
  },
  readable(q, r) {
    q.on('readable', () => {
      note('readable');
      for (let part; (part = q.read()) !== null;) note('read', String(part).slice(0, 12));
    });
    watch('q', q, ALL);
    q.on('end', () => r.end('ok'));
  },
  pauseInData(q, r) {
    watch('q', q, ALL);
    q.on('data', (part) => {
      note('data', part.length, state(q));
      q.pause();
      note('paused', state(q));
      later(() => {
        note('resume', state(q));
        q.resume();
      });
    });
    q.on('end', () => r.end('ok'));
  },
  stateInData(q, r) {
    q.on('data', (part) => note('data', part.length, state(q)));
    q.on('end', () => {
      note('end', state(q));
      process.nextTick(() => note('tick', state(q)));
      r.end('ok');
    });
    q.on('close', () => note('close', state(q)));
  },
  stateOfTick(q, r) {
    q.on('data', (part) => note('data', part.length));
    process.nextTick(() => note('tick', state(q)));
    q.on('end', () => r.end('ok'));
  },
  encoding(q, r) {
    q.setEncoding('utf8');
    q.on('data', (part) => note('data', typeof part, part.length));
    q.on('end', () => r.end('ok'));
  },
  encodingInData(q, r) {
    q.on('data', (part) => {
      note('data', typeof part, part.length);
      q.setEncoding('utf8');
    });
    q.on('end', () => r.end('ok'));
  },
  unshift(q, r) {
    let did = false;
    q.on('data', (part) => {
      note('data', String(part).slice(0, 5));
      if (did) return;
      did = true;
      q.unshift(Buffer.from('again'));
    });
    q.on('end', () => r.end('ok'));
  },
  replacedEmit(q, r) {
    const { emit } = q;
    q.emit = function (event, ...args) {
      note('emit', String(event));
      return emit.call(this, event, ...args);
    };
    q.on('data', () => {});
    q.on('end', () => r.end('ok'));
  },
  replacedPush(q, r) {
    const { push } = q;
    q.push = function (part, ...rest) {
      note('push', part === null ? 'null' : part.length);
      return push.call(this, part, ...rest);
    };
    q.on('data', () => note('data'));
    q.on('end', () => r.end('ok'));
  },
  replacedRead(q, r) {
    const { _read } = q;
    q._read = function (n) {
      note('_read');
      return _read.call(this, n);
    };
    q.on('data', () => note('data'));
    q.on('end', () => r.end('ok'));
  },
  resumeEvent(q, r) {
    q.on('resume', () => note('resume', state(q)));
    q.on('data', () => note('data'));
    q.on('end', () => r.end('ok'));
  },
  destroyInData(q, r) {
    watch('q', q, ALL);
    q.on('end', () => r.end('ok'));
    q.on('data', () => {
      q.destroy();
      note('destroyed', state(q));
    });
  },
  removedData(q, r) {
    const listener = () => note('unexpected');
    q.on('data', listener).off('data', listener);
    q.on('end', () => r.end('ok'));
    watch('q', q, ALL);
  },
  once(q, r) {
    q.once('data', (part) => {
      note('once', part.length);
      q.on('data', (more) => note('more', more.length));
    });
    q.on('end', () => r.end('ok'));
  },
  async loop(q, r) {
    for await (const part of q) note('loop', part.length);
    note('after', state(q));
    r.end('ok');
  },
  async lateLoop(q, r) {
    await new Promise((resolve) => later(resolve));
    for await (const part of q) note('loop', part.length);
    r.end('ok');
  },
  pipe(q, r) {
    watch('q', q, ['data', 'pause', 'resume', ...ALL]);
    watch('r', r, ['pipe', 'unpipe', 'finish', 'close']);
    q.pipe(r);
  },
  endInData(q, r) {
    watch('q', q, ALL);
    watch('r', r, ['finish', 'close']);
    q.on('data', () => {
      note('data');
      if (!r.writableEnded) r.end('early');
    });
    q.on('end', () => r.writableEnded || r.end('ok'));
  },
  stateLater(q, r) {
    r.on('close', () => setImmediate(() => note('immediate', state(q))));
    r.end('ok');
  },
};

const BODIES = {
  length: (text) => [`Content-Length: ${text.length}\r\n\r\n${text}`],
  chunked: (text) => [`Transfer-Encoding: chunked\r\n\r\n3\r\n${text.slice(0, 3)}\r\n`,
    `${(text.length - 3).toString(16)}\r\n${text.slice(3)}\r\n0\r\n\r\n`],
  oneWrite: (text) => [`Transfer-Encoding: chunked\r\n\r\n3\r\n${text.slice(0, 3)}\r\n` +
    `${(text.length - 3).toString(16)}\r\n${text.slice(3)}\r\n0\r\n\r\n`],
  later: (text) => [`Content-Length: ${text.length}\r\n\r\n`, text],
  none: () => ['\r\n'],
  empty: () => ['Content-Length: 0\r\n\r\n'],
};

function run(name, body, next) {
  log.length = 0;
  const parts = BODIES[body]('0123456789abcdef');
  let client;
  const server = http.createServer((q, r) => {
    note('request', q.method);
    handlers[name](q, r);
    if (parts.length > 1) later(() => client.write(parts[1]), 10);
  });
  server.on('clientError', (err, socket) => {
    note('clientError', err.code);
    socket.destroy();
  });
  server.listen(0, '127.0.0.1', () => {
    client = net.connect(server.address().port, '127.0.0.1');
    client.setNoDelay(true);
    client.write(`POST / HTTP/1.1\r\nHost: a\r\n${parts[0]}`);
    let received = '';
    let done = false;
    const finish = () => {
      if (done) return;
      done = true;
      later(() => {
        client.destroy();
        server.close(() => {
          console.log(`--- ${name} ${body}`);
          for (const line of log) console.log(line);
          next();
        });
      });
    };
    client.on('data', (part) => {
      received += part;
      if (/\r\n\r\n(ok|early|0\r\n|[\s\S]*\r\n0\r\n\r\n)/.test(received) || /Length: 0/.test(received)) finish();
    });
    client.on('error', () => {});
    client.on('close', finish);
  });
}

const cases = Object.keys(handlers).flatMap((name) => Object.keys(BODIES).map((body) => [name, body]));
(function step() {
  const [first] = cases.splice(0, 1);
  if (first) run(...first, step);
})();
