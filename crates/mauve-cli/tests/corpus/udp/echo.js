const dgram = require('dgram');

const server = dgram.createSocket('udp4');
server.on('listening', () => {
  const { address, family, port } = server.address();
  console.log('listening', address, family, port > 0);
});
server.on('message', (message, from) => {
  console.log('server got', message, from.address, from.family, from.size, Object.keys(from));
  server.send(message.toString().toUpperCase(), from.port, from.address);
});
server.on('close', () => console.log('server closed'));
server.bind(0, '127.0.0.1', () => {
  console.log('bound');
  const client = dgram.createSocket('udp4', (message, from) => {
    console.log('client got', String(message), from.port === server.address().port);
    client.close(() => console.log('client closed'));
    server.close();
    try {
      client.send('x', 1);
    } catch (err) {
      console.log(err.code, err.message);
    }
  });
  client.send('hello', server.address().port, '127.0.0.1', (err, bytes) => console.log('sent', err, bytes));
  process.nextTick(() => console.log('tick'));
});
