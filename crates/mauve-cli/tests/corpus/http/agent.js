// An agent reuses sockets, limits their number, and closes them when it is destroyed.
const http = require('http');

const sockets = new Set();
const server = http.createServer((req, res) => {
  sockets.add(req.socket);
  setTimeout(() => res.end(req.url), 5);
});

function get(agent, path) {
  return new Promise((resolve, reject) => {
    const req = http.get({ agent, port: server.address().port, host: '127.0.0.1', path }, (res) => {
      res.resume();
      res.on('end', () => setImmediate(() => resolve([path, req.reusedSocket, res.headers.connection])));
    });
    req.on('error', reject);
  });
}
const count = (set) => Object.values(set).map((list) => list.length);

server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  const agent = new http.Agent({ keepAlive: true, maxSockets: 2 });
  console.log(agent.getName({ host: 'h', port: 1 }), agent.getName({ host: 'h', port: 1, localAddress: 'l', family: 4 }), agent.getName());
  console.log(await get(agent, '/1'));
  console.log(count(agent.sockets), count(agent.freeSockets), agent.totalSocketCount);
  console.log(await get(agent, '/2'));
  const several = [get(agent, '/3'), get(agent, '/4'), get(agent, '/5'), get(agent, '/6')];
  console.log('waiting', count(agent.requests), count(agent.sockets));
  console.log(await Promise.all(several));
  console.log('sockets', sockets.size, count(agent.freeSockets));
  agent.destroy();
  await new Promise((resolve) => setTimeout(resolve, 10));
  console.log('destroyed', count(agent.freeSockets), agent.totalSocketCount);

  sockets.clear();
  console.log(await get(false, '/7'), await get(false, '/8'), sockets.size);
  sockets.clear();
  const plain = new http.Agent();
  console.log(await get(plain, '/9'), await get(plain, '/10'), sockets.size);
  sockets.clear();
  console.log(await get(undefined, '/11'), await get(undefined, '/12'), sockets.size);
  console.log(Object.keys(http.globalAgent.freeSockets).map((name) => name.replace(port, 'PORT')));
  http.globalAgent.destroy();
  server.close(() => console.log('closed'));
});
