// An echo between client and server, and the order of their end and close events.
const net = require('net');

const server = net.createServer((peer) => {
  console.log('server: connection', peer.remoteFamily, peer.readyState);
  peer.setEncoding('utf8');
  peer.on('data', (text) => {
    console.log('server: data', text);
    peer.write(text.toUpperCase());
  });
  peer.on('end', () => console.log('server: end'));
  peer.on('finish', () => console.log('server: finish'));
  peer.on('close', (hadError) => console.log('server: close', hadError, peer.bytesRead, peer.bytesWritten));
});
server.on('close', () => console.log('server closed'));
server.listen(0, '127.0.0.1', () => {
  const { address, family, port } = server.address();
  console.log('listening', address, family, port > 0, server.listening);
  const client = net.connect(port, '127.0.0.1');
  console.log('connecting', client.connecting, client.pending, client.readyState);
  for (const event of ['connect', 'ready', 'end', 'finish', 'lookup', 'drain']) {
    client.on(event, () => console.log('client:', event));
  }
  client.on('connect', () => {
    console.log(client.remoteAddress, client.remotePort === port, client.localAddress, client.readyState);
    client.write('hello');
  });
  client.on('data', (data) => {
    console.log('client: data', data);
    client.end();
  });
  client.on('close', (hadError) => {
    console.log('client: close', hadError, client.bytesRead, client.bytesWritten, client.destroyed);
    server.close();
  });
});
