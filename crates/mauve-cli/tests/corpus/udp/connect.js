const dgram = require('dgram');

const server = dgram.createSocket('udp4');
server.on('message', (message) => {
  console.log('got', String(message));
  if (String(message) === 'last') {
    server.close();
    client.close();
  }
});
const client = dgram.createSocket('udp4');
server.bind(0, '127.0.0.1', () => {
  const { port } = server.address();
  try { client.remoteAddress(); } catch (err) { console.log(err.code, err.message); }
  try { client.disconnect(); } catch (err) { console.log(err.code, err.message); }
  client.connect(port, '127.0.0.1', () => {
    const remote = client.remoteAddress();
    console.log('connected', remote.address, remote.family, remote.port === port);
    client.send('connected');
    client.send(Buffer.from('xxpart'), 2, 4, (err, n) => console.log(err, n));
    try { client.send('x', port, '127.0.0.1'); } catch (err) { console.log(err.code, err.message); }
    try { client.connect(port); } catch (err) { console.log(err.code, err.message); }
    setTimeout(() => {
      client.disconnect();
      client.send('last', port, '127.0.0.1');
    }, 20);
  });
  try { client.connect(port); } catch (err) { console.log(err.code, err.message); }
  try { client.connect(0); } catch (err) { console.log(err.code, err.message); }
});
