// Sockets are streams: pipeline, async iteration, and an abort signal.
const net = require('net');
const { pipeline, Transform } = require('stream');

const server = net.createServer((peer) => {
  const upper = new Transform({
    transform(chunk, encoding, callback) { callback(null, String(chunk).toUpperCase()); },
  });
  pipeline(peer, upper, peer, (err) => console.log('pipeline', err ? err.code : 'done'));
});
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  const client = net.connect(port, '127.0.0.1');
  client.end('iterate over this');
  let text = '';
  for await (const chunk of client) text += chunk;
  console.log(text, client.destroyed);

  const controller = new AbortController();
  const aborted = net.connect({ port, host: '127.0.0.1', signal: controller.signal });
  aborted.on('error', (err) => console.log(err.name, err.code, err.message));
  aborted.on('close', (hadError) => {
    console.log('close', hadError);
    server.close();
  });
  aborted.on('connect', () => controller.abort());
});
