// A server socket is paused while the client does not read the responses, and resumed afterwards.
const http = require('http');
const net = require('net');

const BODY = Buffer.alloc(200_000, 'x');
let paused = false;
let requests = 0;
const server = http.createServer((req, res) => {
  requests++;
  res.end(BODY);
});
server.on('connection', (socket) => {
  socket.once('pause', () => {
    paused = true;
    console.log('pause', socket.isPaused());
    client.resume();
  });
  socket.once('resume', () => console.log('resume after pause', paused));
});
let client;
server.listen(0, '127.0.0.1', () => {
  client = net.connect(server.address().port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(200));
  let received = 0;
  client.on('data', (data) => {
    received += data.length;
    if (received < 200 * BODY.length || requests < 200) return;
    console.log('requests', requests);
    client.destroy();
    server.close();
  });
  client.pause();
});
