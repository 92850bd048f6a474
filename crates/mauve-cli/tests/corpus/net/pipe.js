// A Unix domain socket.
const net = require('net');
const path = `/tmp/corpus-net-${process.pid}.sock`;

const server = net.createServer((peer) => {
  console.log('remote', peer.remoteAddress, peer.localAddress, peer.address());
  peer.pipe(peer);
});
server.listen(path, () => {
  console.log(server.address() === path);
  const client = net.createConnection({ path }, () => {
    console.log('connected', client.remoteAddress);
    client.end('over a path');
  });
  client.on('data', (data) => console.log(data.toString()));
  client.on('end', () => console.log('end'));
  client.on('close', (hadError) => {
    console.log('close', hadError);
    const again = net.createServer();
    again.on('error', (err) => {
      console.log(err.code, err.syscall, err.port, err.address === path, err.message.replace(path, 'PATH'));
      server.close(() => console.log('closed'));
    });
    again.listen(path);
  });
});
