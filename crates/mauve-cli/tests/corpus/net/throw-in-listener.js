const net = require('net');
process.on('uncaughtException', (err) => console.log('uncaught', err.message));
const server = net.createServer((peer) => {
  peer.on('data', (data) => {
    console.log('data', String(data));
    if (String(data) === 'bad') throw new Error('in data');
    peer.end('fine');
  });
  process.nextTick(() => { throw new Error('in tick'); });
  throw new Error('in connection');
});
server.listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1', () => client.write('bad'));
  setTimeout(() => client.write('good'), 50);
  client.on('data', (data) => console.log('client', String(data)));
  client.on('close', () => server.close(() => console.log('closed')));
});
