// Responses whose head and body are written at once, and everything that prevents it: the bytes, the state of
// the message at each step, and the order of its events must be the same.

'use strict';

const http = require('http');
const net = require('net');

const state = (res) => [
  res.headersSent, res.finished, res.writableEnded, res.writableFinished, res.destroyed, res.closed,
  res.statusCode, res.statusMessage, res._contentLength, res.socket !== null, res.writableLength > 0,
  res.writableCorked,
].join(' ');

const attempt = (name, action) => {
  try {
    action();
  } catch (err) {
    console.log(name, err.code, err.name, err.message);
  }
};

class Odd {
  toString() { return 'odd'; }
}

const CASES = {
  plain: (res) => res.end('x'),
  nothing: (res) => res.end(),
  empty: (res) => res.end(''),
  nullChunk: (res) => res.end(null),
  unicode: (res) => res.end('h\u00e9llo \u{1f600} \ud800'),
  head: (res) => res.writeHead(200, { 'Content-Length': 2 }).end('ab'),
  lower: (res) => res.writeHead(200, { 'content-length': '2', 'connection': 'close' }).end('ab'),
  chunked: (res) => res.writeHead(200, { 'Transfer-Encoding': 'chunked' }).end('ab'),
  chunkedEmpty: (res) => res.writeHead(200, { 'Transfer-Encoding': 'chunked' }).end(),
  chunkedUnicode: (res) => res.writeHead(200, { 'Transfer-Encoding': 'chunked' }).end('\u00e9'),
  trailers: (res) => {
    res.writeHead(200, { 'Trailer': 'X-T', 'Transfer-Encoding': 'chunked' });
    res.addTrailers({ 'X-T': 'v' });
    res.end('ab');
  },
  badTrailer: (res) => {
    attempt('trailer', () => res.writeHead(200, { 'Trailer': 'X', 'Content-Length': 1 }));
    res.end('x');
  },
  latin1Head: (res) => res.writeHead(200, { 'X-A': 'caf\u00e9', 'Content-Length': 3 }).end('\u20ac'),
  disposition: (res) => res.writeHead(200, { 'Content-Length': 1, 'Content-Disposition': 'a=\u00c3\u00a9' }).end('x'),
  reason: (res) => res.writeHead(200, 'Fine', { 'X-A': 1 }).end('x'),
  reasonOnly: (res) => res.writeHead(404, 'Gone away').end(),
  ownMessage: (res) => {
    res.statusMessage = 'Mine';
    res.end('x');
  },
  created: (res) => {
    res.statusCode = 201;
    res.end('x');
  },
  unknownStatus: (res) => res.writeHead(599, { 'X-A': [1, 2], 'Set-Cookie': ['a', 'b'], 'Cookie': ['c', 'd'] }).end(),
  noContent: (res) => res.writeHead(204).end('ignored'),
  notModified: (res) => {
    res.statusCode = 304;
    res.end();
  },
  floatStatus: (res) => res.writeHead(200.7).end('x'),
  textStatus: (res) => res.writeHead('202').end('x'),
  list: (res) => res.writeHead(200, ['X-A', '1', 'X-A', '2']).end('x'),
  pairs: (res) => res.writeHead(200, [['X-A', '1'], ['X-B', '2']]).end('x'),
  oddList: (res) => {
    attempt('list', () => res.writeHead(200, ['X-A']));
    res.end('x');
  },
  values: (res) => res.writeHead(200, { a: 1.5, b: -0, c: true, d: null, e: new Odd(), f: 12n, g: 2 ** 40 }).end('x'),
  getters: (res) => res.writeHead(200, { get a() { return 'got'; }, ['__proto__']: 'p' }).end('x'),
  mixed: (res) => {
    res.setHeader('X-A', '1');
    res.setHeader('X-B', ['1', '2']);
    res.setHeader('Content-Length', 1);
    res.writeHead(200, { 'x-a': '3', 'X-C': 4 });
    console.log(res.getHeaderNames().join(), res.getRawHeaderNames().join(), JSON.stringify(res.getHeaders()));
    res.end('x');
  },
  set: (res) => {
    res.setHeader('X-A', '1').setHeader('x-a', '2').setHeader('X-N', 7);
    attempt('set', () => res.setHeader('bad name', '1'));
    attempt('set', () => res.setHeader('', '1'));
    attempt('set', () => res.setHeader('X', undefined));
    attempt('set', () => res.setHeader('X', 'a\nb'));
    attempt('set', () => res.setHeader('X', '\u0100'));
    attempt('set', () => res.setHeader(1, 'a'));
    attempt('set', () => res.setHeader());
    attempt('set', () => res.setHeader('X', Symbol('s')));
    attempt('set', () => res.setHeader('X', ['a', '\u0001']));
    res.setHeader('X-L', 'caf\u00e9');
    res.end('x');
    attempt('set', () => res.setHeader('X', '1'));
  },
  removed: (res) => {
    for (const name of ['Date', 'Connection', 'Content-Length', 'Transfer-Encoding']) res.removeHeader(name);
    res.end('x');
  },
  noDate: (res) => {
    res.sendDate = false;
    res.end('x');
  },
  invalid: (res) => {
    attempt('status', () => res.writeHead(99));
    attempt('status', () => res.writeHead(1000));
    attempt('status', () => res.writeHead('abc'));
    attempt('reason', () => res.writeHead(200, 'a\nb'));
    attempt('name', () => res.writeHead(200, { 'a b': 1 }));
    attempt('value', () => res.writeHead(200, { a: undefined }));
    attempt('value', () => res.writeHead(200, { a: 'x\r\ny' }));
    attempt('value', () => res.writeHead(200, { a: Symbol('s') }));
    res.statusMessage = undefined;
    res.end('x');
    attempt('again', () => res.writeHead(200));
  },
  latin1: (res) => res.end('\u00e9', 'latin1'),
  hex: (res) => res.end('6162', 'hex'),
  buffer: (res) => res.end(Buffer.from('ab')),
  bytes: (res) => res.end(new Uint8Array([97, 98])),
  wrongChunk: (res) => {
    attempt('chunk', () => res.end(5));
    res.end('x');
  },
  callback: (res) => res.end('x', () => console.log('callback', state(res))),
  callbackOnly: (res) => res.end(() => console.log('callback', state(res))),
  written: (res) => {
    console.log(res.write('a'));
    res.end('b');
  },
  flushed: (res) => {
    res.flushHeaders();
    res.end('b');
  },
  corked: (res) => {
    res.cork();
    res.write('a');
    res.uncork();
    res.end('b');
  },
  uncorked: (res) => {
    res.cork();
    res.uncork();
    res.end('b');
  },
  queued: (res) => {
    res.outputData.push({ data: 'HTTP/1.1 102 Processing\r\n\r\n', encoding: 'latin1', callback: null });
    res.end('b');
  },
  strict: (res) => {
    res.strictContentLength = true;
    res.setHeader('Content-Length', 3);
    attempt('strict', () => res.end('toolong'));
    res.destroy();
  },
  twice: (res) => {
    res.on('error', (err) => console.log('error', err.code));
    res.end('a');
    res.end('b', (err) => console.log('second', err.code));
    res.end((err) => console.log('third', err?.code));
  },
  large: (res) => res.end('x'.repeat(20_000)),
  continued: (res) => {
    res.writeContinue();
    res.end('x');
  },
  patchedHead: (res) => {
    const { writeHead } = res;
    res.writeHead = function(...args) {
      res.setHeader('X-Patched', '1');
      return Reflect.apply(writeHead, this, args);
    };
    res.end('x');
  },
  patchedWrite: (res, req) => {
    const { write } = req.socket;
    let count = 0;
    req.socket.write = function(...args) {
      count++;
      return Reflect.apply(write, this, args);
    };
    res.on('finish', () => {
      console.log('writes', count > 0);
      delete req.socket.write;
    });
    res.end('x');
  },
  timeout: (res, req) => {
    req.socket.setTimeout(5000);
    res.end('x');
    req.socket.setTimeout(0);
  },
  listeners: (res) => {
    for (const event of ['prefinish', 'finish', 'close']) {
      res.on(event, () => console.log(event, state(res)));
    }
    process.nextTick(() => console.log('tick', state(res)));
    Promise.resolve().then(() => console.log('microtask', state(res)));
    setImmediate(() => console.log('immediate', state(res)));
    res.end('x');
  },
  replacedTick: (res) => {
    const { nextTick } = process;
    let count = 0;
    process.nextTick = function(...args) {
      count++;
      return Reflect.apply(nextTick, process, args);
    };
    res.end('x');
    process.nextTick = nextTick;
    console.log('ticks', count > 0);
  },
  destroyed: (res) => {
    res.on('error', (err) => console.log('error', err.code));
    res.destroy();
    res.end('x');
  },
};

const VOLATILE = /^(?:Date): .*\r\n/gim;

const server = http.createServer((req, res) => {
  const name = req.url.slice(1);
  console.log('--', name, req.method, req.httpVersion, state(res));
  CASES[name](res, req);
  console.log('ended', state(res));
  process.nextTick(() => {
    console.log('next tick', state(res), res.outputData.length);
    process.nextTick(() => console.log('second tick', state(res)));
  });
});

// Sends one request and returns the bytes of the response.
function exchange(head) {
  return new Promise((resolve) => {
    const parts = [];
    const socket = net.connect(server.address().port, '127.0.0.1', () => socket.write(head));
    socket.on('data', (part) => parts.push(part));
    socket.on('error', () => {});
    socket.on('close', () => resolve(Buffer.concat(parts).toString('latin1')));
  });
}

server.listen(0, '127.0.0.1', async () => {
  for (const name of Object.keys(CASES)) {
    for (const [method, version] of [['GET', '1.1'], ['HEAD', '1.1'], ['GET', '1.0']]) {
      const head = `${method} /${name} HTTP/${version}\r\nHost: a\r\nConnection: close\r\n\r\n`;
      const text = await exchange(head);
      console.log(JSON.stringify(text.replace(VOLATILE, (line) => `${line.slice(0, 5)}...\r\n`)));
      if (name === 'large') break;
    }
  }
  // Three requests at once, on a connection that stays open for the first two.
  const requests = ['plain', 'chunked', 'set'].map((name, index) =>
    `GET /${name} HTTP/1.1\r\nHost: a\r\n${index === 2 ? 'Connection: close\r\n' : ''}\r\n`);
  const text = await exchange(requests.join(''));
  console.log(JSON.stringify(text.replace(VOLATILE, '')));
  server.close();
});
