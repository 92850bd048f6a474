// UDP: 1,000 echoes over IPv4, connected sockets, options, errors
'use strict';
const dgram = require('dgram');
const { once } = require('events');
const { assert, main } = require('./lib/check');

main(async () => {
  const server = dgram.createSocket('udp4');
  server.on('message', (message, from) => server.send(message, from.port, from.address));
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();

  const client = dgram.createSocket('udp4');
  client.connect(port, '127.0.0.1');
  await once(client, 'connect');
  assert.strictEqual(client.remoteAddress().port, port);
  let batch = new Set();
  client.on('message', (message) => assert(batch.delete(message.toString())));
  for (let i = 0; i < 50; i++) {
    batch = new Set(Array.from({ length: 20 }, (_, j) => `${i} ${j}`));
    for (const text of batch) client.send(text);
    while (batch.size > 0) await once(client, 'message');
  }
  client.send([Buffer.from('in '), Buffer.from('parts')]);
  batch.add('in parts');
  await once(client, 'message');
  const [error] = await new Promise((resolve) => client.send(Buffer.alloc(70000), (...a) => resolve(a)));
  assert.strictEqual(error.code, 'EMSGSIZE');
  client.setTTL(32);
  client.setRecvBufferSize(100000);
  assert(client.getRecvBufferSize() >= 100000);

  const second = dgram.createSocket('udp4').bind(port, '127.0.0.1');
  assert.strictEqual((await once(second, 'error'))[0].code, 'EADDRINUSE');
  for (const socket of [server, client, second]) {
    socket.close();
    await once(socket, 'close');
  }
});
