// A socket whose peer has hung up ends in the same poll event as its last data, before the peer's 'close'.
const fs = require('fs');
const net = require('net');

const path = `${require('os').tmpdir()}/end_with_last_data.${process.pid}`;
const server = net.createServer({ allowHalfOpen: true }, (peer) => {
  peer.resume();
  peer.on('end', () => setTimeout(() => peer.end('late'), 1));
  peer.on('close', () => console.log('peer close'));
});
server.listen(path, () => {
  const client = net.connect(path, () => client.end('x'));
  client.on('data', (data) => console.log('data', String(data)));
  client.on('end', () => console.log('end'));
  client.on('close', () => server.close());
});
process.on('exit', () => fs.rmSync(path, { force: true }));
