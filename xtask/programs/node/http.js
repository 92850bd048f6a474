// http server and client: 2,000 requests, 50 at a time, over connections kept alive
'use strict';
const http = require('http');
const { once } = require('events');
const { assert, main } = require('./lib/check');

function request(port, agent, path, body) {
  return new Promise((resolve, reject) => {
    const options = { port, agent, path, host: '127.0.0.1', method: body ? 'POST' : 'GET' };
    const sent = http.request(options, (response) => {
      const parts = [];
      response.on('data', (part) => parts.push(part));
      response.on('end', () => resolve([response.statusCode, Buffer.concat(parts)]));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

main(async () => {
  let connections = 0;
  const server = http.createServer((req, res) => {
    if (req.method === 'POST') return req.pipe(res);
    if (req.url === '/late') return setTimeout(() => res.end('late'), 20);
    res.end(`you asked for ${req.url}`);
  });
  server.on('connection', () => connections++);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  const agent = new http.Agent({ keepAlive: true, maxSockets: 50 });

  let next = 0;
  const worker = async () => {
    for (let i = next++; i < 2000; i = next++) {
      const [status, body] = await request(port, agent, `/page/${i}`);
      assert.strictEqual(status, 200);
      assert.strictEqual(body.toString(), `you asked for /page/${i}`);
    }
  };
  await Promise.all(Array.from({ length: 50 }, worker));
  assert(connections <= 50, `${connections} connections`);

  const big = Buffer.alloc(3 << 20, 'mauve');
  const [status, echoed] = await request(port, agent, '/echo', big);
  assert.strictEqual(status, 200);
  assert(big.equals(echoed));
  assert.strictEqual((await request(port, agent, '/late'))[1].toString(), 'late');

  // fetch, Node's other client.
  assert.strictEqual(await (await fetch(`http://127.0.0.1:${port}/x`)).text(), 'you asked for /x');

  agent.destroy();
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
  await assert.rejects(request(port, new http.Agent(), '/'), { code: 'ECONNREFUSED' });
});
