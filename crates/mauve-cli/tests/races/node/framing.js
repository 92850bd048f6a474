// Partial messages: a number of two bytes is expected to arrive at once.
const net = require('net');
const server = net.createServer((socket) => {
  socket.once('data', (data) => {
    if (data.length < 2) process.exit(3);
    socket.end();
  });
});
server.listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1');
  client.end(Buffer.from([1, 2]));
  client.resume();
  client.on('close', () => server.close());
});
