// Requests of a client, and all ways to read a short response that arrives at once: the order of events and
// ticks, the listeners of the socket, and the state of the agent must be the same.

'use strict';

const http = require('http');
const net = require('net');

const tick = () => new Promise((resolve) => process.nextTick(resolve));
const counts = (socket) => ['error', 'close', 'free', 'agentRemove']
  .map((event) => socket.listenerCount(event)).join();
const state = (res) => [
  res.complete, res.aborted, res.destroyed, res.closed, res.readableEnded, res.readableFlowing, res.readableLength,
  res.readable, res.errored?.code,
].join(' ');

const READERS = {
  data: (res, log) => res.on('data', (part) => log('data', String(part), state(res))),
  ticks: (res, log) => res.on('data', () => {
    process.nextTick(() => log('tick of data', state(res)));
    Promise.resolve().then(() => log('microtask of data', state(res)));
  }),
  pauseInData: (res, log) => res.on('data', () => {
    res.pause();
    log('paused', state(res));
    setImmediate(() => {
      log('resumes', state(res));
      res.resume();
    });
  }),
  destroyInData: (res, log) => res.on('data', () => {
    res.destroy();
    log('destroyed', state(res));
  }),
  errorInData: (res) => res.on('data', () => res.destroy(new Error('mine'))),
  readInData: (res, log) => res.on('data', () => log('read', res.read(), state(res))),
  removeInData: (res, log) => {
    const listener = () => {
      log('once', state(res));
      res.off('data', listener);
    };
    res.on('data', listener);
  },
  resume: (res) => res.resume(),
  readable: (res, log) => res.on('readable', () => {
    let part;
    while ((part = res.read()) !== null) log('read', String(part), state(res));
  }),
  encoding: (res, log) => res.setEncoding('hex').on('data', (part) => log('data', part)),
  iterate: async (res, log) => {
    for await (const part of res) log('part', String(part), state(res));
    log('iterated', state(res));
  },
  later: (res, log) => setImmediate(() => res.on('data', (part) => log('data', String(part), state(res)))),
  inTick: (res, log) => process.nextTick(() => res.on('data', (part) => log('data', String(part), state(res)))),
  pipe: (res, log) => {
    const { Writable } = require('stream');
    res.pipe(new Writable({
      write(part, encoding, cb) {
        log('piped', String(part));
        cb();
      },
    })).on('finish', () => log('pipe finished', state(res)));
  },
  resumeEvent: (res, log) => {
    res.on('resume', () => log('resume', state(res)));
    res.on('data', (part) => log('data', String(part)));
  },
  patchedEmit: (res, log) => {
    const { emit } = res;
    res.emit = function(event, ...args) {
      log('emit', String(event));
      return Reflect.apply(emit, this, [event, ...args]);
    };
    res.resume();
  },
};

const RESPONSES = {
  short: 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-A: 1\r\n\r\nhello',
  hint: 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nKeep-Alive: timeout=5\r\n\r\nhello',
  empty: 'HTTP/1.1 404 Nothing\r\nContent-Length: 0\r\n\r\n',
  chunked: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n3\r\ncde\r\n0\r\nX-T: 1\r\n\r\n',
  close: 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello',
  until: 'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello',
  info: 'HTTP/1.1 103 Early\r\nLink: a\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello',
};

const server = net.createServer((socket) => {
  socket.on('error', () => {});
  let text = '';
  socket.on('data', (part) => {
    text += part;
    if (!text.includes('\r\n\r\n')) return;
    const [, name] = /^\w+ \/(\w+)/.exec(text);
    if (/^POST/.test(text) && !text.endsWith('body')) return;
    text = '';
    socket.write(RESPONSES[name]);
    if (/Connection: close/.test(RESPONSES[name])) socket.end();
  });
});

function exchange(agent, name, reader, method) {
  return new Promise((resolve) => {
    const lines = [];
    const log = (...args) => lines.push(args.join(' '));
    const options = { host: '127.0.0.1', port: server.address().port, path: `/${name}`, agent, method };
    const req = http.request(options, (res) => {
      log('response', res.statusCode, res.statusMessage, res.httpVersion, counts(res.socket), state(res));
      const { socket } = res;
      for (const event of ['end', 'close', 'aborted', 'error']) {
        res.on(event, (err) => log(event, err?.message ?? '', state(res), counts(socket), req.destroyed));
      }
      READERS[reader](res, log);
      process.nextTick(() => {
        log('next tick', state(res));
        process.nextTick(() => log('second tick', state(res)));
      });
    });
    for (const event of ['socket', 'finish', 'information', 'error', 'close']) {
      req.on(event, () => log(`request ${event}`, req.reusedSocket, req.destroyed, req.writableFinished));
    }
    req.on('close', async () => {
      await tick();
      setImmediate(() => {
        const size = (table) => Object.values(table).flat().length;
        log('agent', size(agent.sockets), size(agent.freeSockets), size(agent.requests), agent.totalSocketCount);
        const [free] = Object.values(agent.freeSockets).flat();
        if (free) log('free', counts(free), free.timeout, free._httpMessage);
        resolve(lines);
      });
    });
    if (method === 'POST') req.end('body');
    else req.end();
    log('sent', req.headersSent, req.path, req.method, req.host, req.protocol, req.shouldKeepAlive, req.finished);
  });
}

server.listen(0, '127.0.0.1', async () => {
  for (const keepAlive of [true, false]) {
    const agent = new http.Agent({ keepAlive });
    for (const name of Object.keys(RESPONSES)) {
      for (const reader of Object.keys(READERS)) {
        const method = reader === 'data' && name === 'short' ? 'POST' : 'GET';
        console.log(`-- ${keepAlive} ${name} ${reader}`);
        for (const line of await exchange(agent, name, reader, method)) console.log(line);
      }
    }
    agent.destroy();
  }
  server.close();
});
