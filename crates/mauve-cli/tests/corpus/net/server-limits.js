// maxConnections, getConnections, and a close that waits for the last connection.
const net = require('net');

const server = net.createServer((peer) => {
  peer.on('error', () => {});
  peer.write('welcome');
});
server.maxConnections = 1;
server.on('drop', (data) => console.log('drop', Object.keys(data), data.remoteFamily, data.localAddress));
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  const first = net.connect(port, '127.0.0.1');
  first.once('data', (data) => {
    console.log('first', String(data));
    const second = net.connect(port, '127.0.0.1');
    second.on('data', () => console.log('must not get data'));
    second.on('error', (err) => console.log('error', err.code));
    second.on('close', (hadError) => {
      console.log('second close', hadError);
      server.getConnections((err, count) => {
        console.log('connections', err, count);
        server.close(() => console.log('server closed'));
        console.log('listening', server.listening);
        setTimeout(() => { console.log('ending first'); first.end(); }, 20);
      });
    });
  });
  first.on('close', () => console.log('first close'));
});
