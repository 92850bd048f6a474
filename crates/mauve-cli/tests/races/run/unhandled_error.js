// Unhandled faults: nothing listens for the errors of a connection.
const net = require('net');
const server = net.createServer((socket) => socket.pipe(socket));
server.listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1');
  client.on('data', () => client.end());
  client.on('close', () => server.close());
  client.write('a message');
});
