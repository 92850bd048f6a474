// R's httpuv: 500 requests, bodies of 1 MB both ways, WebSockets, a server that stops itself
'use strict';
const crypto = require('crypto');
const path = require('path');
const { assert, main } = require('../node/lib/check');
const { freePort, Server, Client } = require('./lib/server');

main(async () => {
  const port = await freePort();
  // R puts the system's folders in front of the search path.
  const script = path.join(__dirname, 'lib/httpuv.R');
  const server = new Server('Rscript', [script, String(port)], { LD_PRELOAD: process.env.LIBUV });
  await server.listening(port);
  const url = `http://127.0.0.1:${port}`;
  for (let i = 0; i < 25; i++) {
    await Promise.all(Array.from({ length: 20 }, async (_, j) => {
      const response = await fetch(`${url}/page/${i}/${j}`);
      assert.strictEqual(await response.text(), `you asked for /page/${i}/${j}`);
    }));
  }
  const body = crypto.randomBytes(1 << 20);
  const echoed = await fetch(`${url}/echo`, { method: 'POST', body });
  assert(body.equals(Buffer.from(await echoed.arrayBuffer())));
  const client = new Client(`ws://127.0.0.1:${port}/`);
  await client.open;
  for (let i = 0; i < 50; i++) {
    client.socket.send(`message ${i}`);
    assert.strictEqual(await client.message(), `MESSAGE ${i}`);
  }
  await client.close();
  assert.strictEqual(await (await fetch(`${url}/stop`)).text(), 'stopping');
  assert.deepStrictEqual(await server.exit, [0, null], server.output);
});
