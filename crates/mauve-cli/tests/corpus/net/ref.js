// An unreferenced server and socket do not keep the process alive.
const net = require('net');

const server = net.createServer((peer) => {
  peer.unref();
  console.log('connection');
});
server.listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1', () => {
    console.log('connected');
    console.log(client.unref() === client, server.unref() === server);
    server.ref();
    setTimeout(() => { console.log('last timer'); server.unref(); }, 20);
  });
});
process.on('exit', (code) => console.log('exit', code));
