// sockets: 64 MiB piped through TCP and through a pipe, with backpressure, resets and half-closes
'use strict';
const crypto = require('crypto');
const net = require('net');
const { once } = require('events');
const { Readable, Writable } = require('stream');
const { pipeline } = require('stream/promises');
const { setImmediate: breathe } = require('timers/promises');
const { assert, main } = require('./lib/check');

const BLOCKS = 1024;
const block = crypto.randomBytes(64 << 10);

// Sends 64 MiB through an echo server to a slow reader.
async function echo(address) {
  let waited = 0;
  const server = net.createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('data', (data) => {
      if (!socket.write(data)) {
        waited++;
        socket.pause();
        socket.once('drain', () => socket.resume());
      }
    });
    socket.on('end', () => socket.end());
  });
  server.listen(address);
  await once(server, 'listening');
  const bound = server.address();
  const socket = net.connect(typeof bound === 'string' ? bound : bound.port);
  const [sent, got] = [crypto.createHash('sha1'), crypto.createHash('sha1')];
  const source = Readable.from((function* () {
    for (let i = 0; i < BLOCKS; i++) {
      sent.update(block);
      yield block;
    }
  })());
  let bytes = 0;
  const slow = new Writable({
    async write(data, _, done) {
      bytes += data.length;
      got.update(data);
      await breathe();
      done();
    },
  });
  await Promise.all([pipeline(source, socket, { end: true }), pipeline(socket, slow)]);
  assert.strictEqual(bytes, BLOCKS * block.length);
  assert.strictEqual(socket.bytesWritten, bytes);
  assert.strictEqual(socket.bytesRead, bytes);
  assert.strictEqual(got.digest('hex'), sent.digest('hex'));
  assert(waited > 0, 'the server never had to wait');
  server.close();
  await once(server, 'close');
}

async function reset() {
  const server = net.createServer((socket) => socket.resetAndDestroy()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = net.connect(server.address().port, '127.0.0.1');
  const [error] = await once(socket, 'error');
  assert.strictEqual(error.code, 'ECONNRESET');
  server.close();
  await once(server, 'close');
}

async function many() {
  const server = net.createServer((socket) => socket.end('hello')).listen(0, '127.0.0.1', 512);
  await once(server, 'listening');
  const { port } = server.address();
  await Promise.all(Array.from({ length: 300 }, async () => {
    const parts = [];
    for await (const part of net.connect(port, '127.0.0.1')) parts.push(part);
    assert.strictEqual(Buffer.concat(parts).toString(), 'hello');
  }));
  const second = net.createServer();
  second.listen(port, '127.0.0.1');
  assert.strictEqual((await once(second, 'error'))[0].code, 'EADDRINUSE');
  server.close();
  await once(server, 'close');
}

async function silent() {
  const server = net.createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = net.connect({ port: server.address().port, host: '127.0.0.1', noDelay: true, keepAlive: true });
  socket.setTimeout(30);
  await once(socket, 'timeout');
  socket.destroy();
  server.close();
  await once(server, 'close');
}

main(async () => {
  await echo({ port: 0, host: '127.0.0.1' });
  await echo({ path: `${process.cwd().length > 80 ? '\0mauve-' + process.pid : process.cwd() + '/socket'}` });
  await reset();
  await many();
  await silent();
});
