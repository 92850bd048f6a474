// Responses that consist of write() and end() in one tick: the bytes, the callbacks and the events.
'use strict';
const http = require('http');
const net = require('net');

const handlers = [
  (request, response) => {
    response.writeHead(200, { 'Content-Length': 11 });
    response.write('hello');
    response.end(' world');
  },
  (request, response) => {
    response.write('häl');
    response.end('wörld');
  },
  (request, response) => {
    response.write('a');
    response.write(Buffer.from('b'));
    response.end();
  },
  (request, response) => {
    response.write('a', () => console.log('callback of write'));
    response.end('z', () => console.log('callback of end'));
  },
  (request, response) => {
    response.setHeader('X', 'é');
    response.write('ü', 'latin1');
    response.end('é', 'latin1');
  },
  (request, response) => {
    response.setHeader('X', 'é');
    response.write('ü');
    response.end('é');
  },
  (request, response) => {
    response.write('x');
    response.socket.write('other bytes');
    response.end('y');
  },
  (request, response) => {
    response.cork();
    response.write('x');
    response.write('y');
    response.uncork();
    response.end('z');
  },
  (request, response) => {
    response.setHeader('Trailer', 'T');
    response.write('x');
    response.addTrailers({ T: '1' });
    response.end();
  },
  (request, response) => {
    response.write('x');
    setImmediate(() => response.end('later'));
  },
  (request, response) => {
    response.write('x'.repeat(20000));
    response.end('e');
  },
  (request, response) => {
    console.log(response.write('x'), response.writableLength > 0, response.socket.writableLength > 0);
    response.end('e');
    console.log(response.writableLength, response.writableEnded, response.socket.writableCorked);
  },
  (request, response) => {
    for (const event of ['prefinish', 'finish', 'close']) response.on(event, () => console.log(event));
    request.on('end', () => console.log('end of the request'));
    response.write('1');
    process.nextTick(() => console.log('tick after write'));
    response.end('2');
    process.nextTick(() => console.log('tick after end'));
  },
  (request, response) => {
    response.write('1');
    response.end('2');
    response.on('error', (error) => console.log(error.code));
    response.write('3');
  },
  (request, response) => {
    response.write('1');
    response.destroy();
    response.end('2');
  },
];

let current = 0;
const server = http.createServer((request, response) => {
  response.sendDate = false;
  handlers[current](request, response);
});
server.listen(0, async () => {
  for (; current < handlers.length; current++) {
    await new Promise((done) => {
      const socket = net.connect(server.address().port);
      let text = '';
      socket.on('data', (part) => { text += part.toString('latin1'); });
      socket.on('close', () => {
        console.log(current, JSON.stringify(text.replace(/x{9,}/, ({ length }) => `${length} times x`)));
        done();
      });
      socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    });
  }
  server.close();
});
