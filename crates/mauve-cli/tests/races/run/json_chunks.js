// Chunk boundaries: each chunk is taken for a message.
const net = require('net');
const server = net.createServer((socket) => {
  socket.on('data', (data) => {
    socket.end(String(JSON.parse(data).text.length));
  });
});
server.listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1');
  client.write(JSON.stringify({ text: 'hello' }));
  client.on('data', () => {});
  client.on('close', () => server.close());
});
