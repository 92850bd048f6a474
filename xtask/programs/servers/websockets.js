// libwebsockets: a server with a libuv loop of its own, messages of 20 clients, a clean shutdown
'use strict';
const path = require('path');
const { execFileSync } = require('child_process');
const { assert, main } = require('../node/lib/check');
const { freePort, Server, Client } = require('./lib/server');

async function talk(port, id) {
  const client = new Client(`ws://127.0.0.1:${port}/`, ['capitals']);
  await client.open;
  for (let i = 0; i < 50; i++) {
    client.socket.send(`message ${i} of ${id} `.repeat(20));
    assert.strictEqual(await client.message(), `MESSAGE ${i} OF ${id} `.repeat(20));
  }
  return client;
}

main(async () => {
  execFileSync('cc', ['-o', 'server', path.join(__dirname, 'lib/websockets.c'), '-lwebsockets']);
  const port = await freePort();
  const server = new Server('./server', [String(port)]);
  await server.listening(port);
  const clients = await Promise.all(Array.from({ length: 20 }, (_, id) => talk(port, id)));
  await Promise.all(clients.slice(1).map((client) => client.close()));
  // The server closes the last connection.
  await server.stop('SIGINT');
  await clients[0].closed;
});
