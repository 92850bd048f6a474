// maxTotalSockets of an agent: queued requests, their order, and the remaining sockets.
const http = require('http');

const tables = (agent) => JSON.stringify([agent.requests, agent.sockets, agent.freeSockets]
  .map((table) => Object.values(table).map((list) => list.length))) + agent.totalSocketCount;
const one = http.createServer((req, res) => { setTimeout(() => res.end(req.url), 5); });
const two = http.createServer((req, res) => res.end(`two ${req.url}`));

one.listen(0, '127.0.0.1', () => two.listen(0, '127.0.0.1', () => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1, maxTotalSockets: 1 });
  console.log(Object.keys(agent).filter((name) => !name.startsWith('_')).join());
  let left = 5;
  const finish = () => {
    console.log(tables(agent));
    agent.destroy();
    one.close(() => two.close(() => console.log('closed')));
  };
  const get = (server, path) => {
    const target = { host: '127.0.0.1', port: server.address().port, path, agent };
    const req = http.get(target, (res) => {
      let text = '';
      res.on('data', (data) => { text += data; });
      res.on('end', () => console.log('end', text, req.reusedSocket, tables(agent)));
    });
    req.on('socket', () => console.log('socket', path));
    req.on('finish', () => console.log('finish', path));
    req.on('close', () => {
      console.log('close', path, tables(agent));
      if (--left === 0) setTimeout(finish, 20);
    });
  };
  get(one, '/1');
  get(one, '/2');
  get(two, '/3');
  get(one, '/4');
  get(two, '/5');
  console.log(tables(agent));
}));
