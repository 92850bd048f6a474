// Invalid requests. Does not compare which of two sockets closes first, as in
// net/half-open.js: the result of a request is printed when both have closed.
const http = require('http');
const net = require('net');

const server = http.createServer((req, res) => {
  req.on('error', (err) => errors.push(err.code));
  req.resume();
  req.on('end', () => res.end(`${req.method} ${req.url}`));
});
let errors = [];

async function talk(name, request) {
  errors = [];
  const peerClosed = new Promise((resolve) => {
    server.once('connection', (peer) => peer.on('close', resolve));
  });
  const text = await exchange(request);
  await peerClosed;
  await new Promise(setImmediate);
  console.log(name, JSON.stringify(text.replace(/Date: [^\r]*/g, 'Date: X')), 'request', errors);
}

function exchange(request) {
  return new Promise((resolve) => {
    const socket = net.connect(server.address().port, '127.0.0.1');
    let text = '';
    socket.on('data', (data) => { text += data; });
    socket.on('error', () => {});
    socket.on('close', () => resolve(text));
    socket.end(request);
  });
}

async function all() {
  await talk('garbage', 'garbage\r\n\r\n');
  await talk('tls', Buffer.from([0x16, 3, 1, 0, 5]));
  await talk('method', 'FOO / HTTP/1.1\r\nHost: h\r\n\r\n');
  await talk('no host', 'GET / HTTP/1.1\r\n\r\n');
  await talk('bad header', 'GET / HTTP/1.1\r\nHost: h\r\nBad Header: x\r\n\r\n');
  await talk('length', 'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: x\r\n\r\n');
  await talk('chunk', 'POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n');
  await talk('overflow', `GET / HTTP/1.1\r\nHost: h\r\nX: ${'x'.repeat(20000)}\r\n\r\n`);
  await talk('cut', 'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nabc');
  await talk('nothing', '');
}

server.listen(0, '127.0.0.1', async () => {
  await all();
  server.on('clientError', (err, socket) => {
    console.log('clientError', err.code, err.message, err.bytesParsed >= 0, Buffer.isBuffer(err.rawPacket));
    socket.end('HTTP/1.1 400 Own\r\n\r\n');
  });
  await all();
  server.close(() => console.log('closed'));
});
