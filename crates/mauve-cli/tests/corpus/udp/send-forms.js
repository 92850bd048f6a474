// All argument forms of send().
const dgram = require('dgram');

const server = dgram.createSocket({ type: 'udp4', reuseAddr: true });
const got = [];
server.on('message', (message) => {
  got.push(message.toString('latin1'));
  if (got.length < 9) return;
  console.log(got.sort());
  server.close();
  client.close();
});
const client = dgram.createSocket('udp4');
server.bind({ port: 0, address: '127.0.0.1' }, () => {
  const { port } = server.address();
  const data = Buffer.from('0123456789');
  client.send('1 text', port, '127.0.0.1');
  client.send(Buffer.from('2 buffer'), port, '127.0.0.1', (err, n) => console.log(err, n));
  client.send(data, 3, 4, port, '127.0.0.1');
  client.send(['4 ', Buffer.from('list'), new Uint8Array([33])], port, '127.0.0.1');
  client.send('5 no address', port);
  client.send('6 callback', port, (err, n) => console.log(err, n));
  client.send(new Uint16Array([0x2037, 0x3636]), port, '127.0.0.1');
  client.send([], port, '127.0.0.1', (err, n) => console.log('empty', err, n));
  client.send('a slice of text', 2, 5, port, '127.0.0.1', (err, n) => console.log('slice', err, n));
});
for (const args of [[1, 1], ['x'], ['x', 0], ['x', 65536], ['x', 1, 5], ['x', 1, 1, 1], [['x', 1], 1],
  ['x', 5, 1, 80, '127.0.0.1'], ['x', 80, '127.0.0.1', 80]]) {
  try {
    dgram.createSocket('udp4').unref().send(...args);
    console.log(args, 'ok');
  } catch (err) {
    console.log(err.name, err.code, err.message);
  }
}
