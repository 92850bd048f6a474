// Clients that disconnect in the middle of a response and of a request.
const http = require('http');
const net = require('net');

let rounds = 0;
const server = http.createServer((req, res) => {
  req.on('aborted', () => console.log('aborted'));
  req.on('error', (err) => console.log('request error', err.code, err.message));
  req.on('close', () => console.log('request close', req.complete, req.destroyed));
  res.on('close', () => {
    console.log('response close', res.writableEnded, res.writableFinished, res.destroyed);
    if (++rounds === 1) partly();
    else server.close(() => console.log('closed'));
  });
  if (req.url === '/big') {
    req.resume();
    const chunk = Buffer.alloc(65536);
    const more = () => {
      while (!res.destroyed && res.write(chunk));
    };
    res.on('drain', more);
    more();
  } else {
    req.resume();
  }
});
server.listen(0, '127.0.0.1', () => {
  const socket = net.connect(server.address().port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write('GET /big HTTP/1.1\r\nHost: h\r\n\r\n');
  socket.once('data', () => socket.resetAndDestroy());
});
function partly() {
  const socket = net.connect(server.address().port, '127.0.0.1');
  socket.write('POST /part HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nonly this');
  setTimeout(() => socket.destroy(), 20);
}
