// Data without a listener stays buffered; a paused server socket does not read.
const net = require('net');

const server = net.createServer({ pauseOnConnect: true }, (peer) => {
  console.log('paused', peer.isPaused());
  setTimeout(() => {
    console.log('read so far', peer.bytesRead);
    peer.on('data', (data) => console.log('peer', String(data)));
    peer.resume();
    peer.end('late answer');
  }, 20);
});
server.listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1', () => {
    client.write('early');
    setTimeout(() => {
      console.log('client got', client.bytesRead);
      client.on('readable', () => {
        for (let data; (data = client.read()) !== null;) console.log('client', String(data));
      });
      client.on('end', () => console.log('end'));
      client.on('close', () => server.close());
    }, 50);
  });
});
