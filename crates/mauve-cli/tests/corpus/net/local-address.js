// localAddress and localPort of a client.
const net = require('net');

const server = net.createServer((peer) => {
  console.log('from', peer.remoteAddress);
  peer.end();
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  const client = net.connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' }, () => {
    console.log('local', client.localAddress, client.localFamily, client.address().address);
  });
  client.resume();
  client.on('close', () => {
    const taken = net.connect({ port, host: '127.0.0.1', localAddress: '127.0.0.1', localPort: port });
    taken.on('error', (err) => {
      console.log(err.code, err.syscall, err.message.replaceAll(port, 'PORT'), err.address);
    });
    taken.on('close', () => {
      const foreign = net.connect({ port, host: '127.0.0.1', localAddress: '192.0.2.1' });
      foreign.on('error', (err) => console.log(err.code, err.syscall, err.message.replaceAll(port, 'PORT')));
      foreign.on('close', () => server.close(() => console.log('closed')));
    });
  });
});
