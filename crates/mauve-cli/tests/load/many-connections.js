// Many concurrent connections, with both ends in this process. When all are connected, each client
// sends one byte, reads its echo, and ends.
const net = require('net');

const COUNT = Number(process.argv[2]);
let connected = 0;
let echoed = 0;
let closed = 0;

const server = net.createServer((peer) => {
  peer.on('error', (err) => { throw err; });
  peer.pipe(peer);
});
server.listen(0, '127.0.0.1', 1024, () => {
  const { port } = server.address();
  const clients = [];
  function connect() {
    if (clients.length === COUNT) return;
    const client = net.connect(port, '127.0.0.1');
    clients.push(client);
    client.on('connect', () => {
      connect();
      if (++connected === COUNT) for (const each of clients) each.write('x');
    });
    client.on('data', () => {
      if (++echoed === COUNT) for (const each of clients) each.end();
    });
    client.on('close', (hadError) => {
      if (hadError) throw new Error('closed with an error');
      if (++closed === COUNT) server.close(() => console.log(connected, echoed, closed));
    });
  }
  // A hundred pending connects: fewer than the listen backlog.
  for (let i = 0; i < 100; i++) connect();
});
