// Corked writes are sent together, each with its encoding.
const net = require('net');

const server = net.createServer((peer) => {
  const chunks = [];
  peer.on('data', (data) => chunks.push(data));
  peer.on('end', () => {
    console.log(chunks.length, Buffer.concat(chunks).toString('hex'));
  });
});
server.listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1', () => {
    client.cork();
    client.write('a\u00e9', 'latin1');
    client.write('\u00e9\u20ac');
    client.write('ff00', 'hex');
    client.write('AAEC', 'base64');
    client.write('hi', 'utf16le');
    client.write(Buffer.from([1, 2, 3]));
    client.write(new Uint8Array([4, 5]));
    client.write('\ud800x');
    console.log('bytesWritten', client.bytesWritten, client.writableLength);
    client.uncork();
    console.log('bytesWritten', client.bytesWritten, client.writableLength);
    client.end('end', () => console.log('finished', client.bytesWritten));
  });
  client.on('close', () => server.close());
});
