// A server that sends back what it receives, and a client, on one loop.
const net = require('net');

const server = net.createServer((connection) => {
  console.log('server: a connection');
  connection.on('data', (data) => {
    console.log(`server: received ${data}`);
    connection.write(data);
  });
  connection.on('end', () => {
    console.log('server: end of the stream, closes');
    server.close();
  });
});

server.listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1');
  client.write('hello');
  client.on('data', (data) => {
    console.log(`client: received ${data}`);
    client.end();
  });
  client.on('end', () => console.log('client: end of the stream'));
});
