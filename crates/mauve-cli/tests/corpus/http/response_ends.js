// What a server writes for responses whose last part is a string or a Buffer, alone or after other writes.
'use strict';
const http = require('http');
const net = require('net');

const handlers = {
  buffer: (r) => r.end(Buffer.from('h\u00e9llo')),
  emptyBuffer: (r) => r.end(Buffer.alloc(0)),
  array: (r) => r.end(new Uint8Array([104, 105])),
  slice: (r) => r.end(Buffer.from('xhellox').subarray(1, 6)),
  latin1Head: (r) => r.setHeader('X-A', '\u00e9').end(Buffer.from('b')),
  latin1HeadAndText: (r) => r.setHeader('X-A', '\u00e9').end('b'),
  chunkedBuffer: (r) => r.writeHead(200, { 'Transfer-Encoding': 'chunked' }).end(Buffer.from('abc')),
  chunkedEmpty: (r) => r.writeHead(200, { 'Transfer-Encoding': 'chunked' }).end(),
  length: (r) => r.writeHead(200, { 'Content-Length': 3 }).end(Buffer.from('abc')),
  writes: (r) => { r.write('a'); r.write(Buffer.from('b')); r.end('c'); },
  writesEndBuffer: (r) => { r.write(Buffer.from('a')); r.end(Buffer.from('b')); },
  writesEnd: (r) => { r.write(Buffer.from('a')); r.end(); },
  latin1: (r) => { r.write('\u00e9', 'latin1'); r.end('\u00e9', 'latin1'); },
  mixed: (r) => { r.write('\u00e9', 'latin1'); r.write('\u00e9'); r.end(Buffer.from([1, 2])); },
  hex: (r) => { r.write('6162', 'hex'); r.end('63', 'hex'); },
  latin1HeadOnly: (r) => r.setHeader('X-A', '\u00e9').end(),
  latin1HeadEmpty: (r) => r.setHeader('X-A', '\u00e9').end(''),
  trailers: (r) => {
    r.writeHead(200, { 'Trailer': 'X-T', 'Transfer-Encoding': 'chunked' });
    r.write('a');
    r.addTrailers({ 'X-T': '\u00e9' });
    r.end(Buffer.from('b'));
  },
  trailersAndText: (r) => {
    r.writeHead(200, { 'Trailer': 'X-T', 'Transfer-Encoding': 'chunked' });
    r.addTrailers({ 'X-T': '\u00e9' });
    r.end('\u00e9');
  },
  callbacks: (r) => {
    r.write('a', () => console.log('written a'));
    r.write(Buffer.from('b'), () => console.log('written b'));
    r.end(Buffer.from('c'), () => console.log('finished'));
  },
  events: (r) => {
    for (const event of ['prefinish', 'finish', 'close']) r.on(event, () => console.log(event));
    r.end(Buffer.from('c'));
    process.nextTick(() => console.log('tick', r.writableFinished, r.writableLength, r.headersSent));
  },
  noBody: (r) => { r.statusCode = 204; r.end(Buffer.from('x')); },
  corked: (r) => { r.cork(); r.write(Buffer.from('a')); r.write('b'); r.uncork(); r.end(Buffer.from('c')); },
  laterEnd: (r) => { r.write(Buffer.from('a')); process.nextTick(() => r.end(Buffer.from('b'))); },
  invalid: (r) => { try { r.end(5); } catch (err) { console.log(err.code); } r.end('x'); },
  again: (r) => {
    r.on('error', (err) => console.log('error', err.code));
    r.end(Buffer.from('a'));
    r.end(Buffer.from('b'), (err) => console.log('again', err.code));
  },
  replacedWrite: (r) => {
    const { socket } = r;
    const { write } = socket;
    socket.write = function (chunk, ...rest) {
      console.log('write', typeof chunk, chunk.length);
      return write.call(this, chunk, ...rest);
    };
    r.write('a');
    r.end(Buffer.from('b'));
    socket.write = write;
  },
};

function run(names, method) {
  if (names.length === 0) return;
  const [name, ...rest] = names;
  const server = http.createServer((q, r) => {
    r.sendDate = false;
    handlers[name](r);
  });
  server.listen(0, '127.0.0.1', () => {
    const client = net.connect(server.address().port, '127.0.0.1');
    let received = '';
    client.setEncoding('latin1').on('data', (part) => { received += part; });
    client.on('end', () => {
      console.log(`--- ${method} ${name}`);
      console.log(JSON.stringify(received));
      server.close(() => run(rest, method));
    });
    client.end(`${method} / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  });
  if (rest.length === 0 && method === 'GET') server.on('close', () => run(Object.keys(handlers), 'HEAD'));
}

run(Object.keys(handlers), 'GET');
