// A peer that resets the connection.
const net = require('net');

const server = net.createServer((peer) => {
  peer.on('error', (err) => console.log('peer', err.code, err.syscall, err.errno, err.message, Object.keys(err)));
  peer.on('close', (hadError) => { console.log('peer close', hadError); server.close(); });
  peer.on('end', () => console.log('must not end'));
  peer.resume();
});
server.listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1', () => {
    setTimeout(() => {
      client.resetAndDestroy();
      console.log('destroyed', client.destroyed);
    }, 10);
  });
  client.on('close', (hadError) => {
    console.log('client close', hadError);
    client.resetAndDestroy();
    new net.Socket().on('error', (err) => console.log(err.code, err.message)).resetAndDestroy();
  });
});
