// Backpressure: a paused reader makes the writer wait for 'drain'.
const net = require('net');
const SIZE = 8 * 1024 * 1024;

const server = net.createServer((peer) => {
  let left = SIZE;
  let refused = 0;
  let drains = 0;
  const chunk = Buffer.alloc(64 * 1024, 'x');
  function more() {
    while (left > 0) {
      left -= chunk.length;
      if (!peer.write(chunk)) {
        refused++;
        return;
      }
    }
    peer.end();
  }
  peer.on('drain', () => { drains++; more(); });
  peer.on('close', () => console.log('writer', peer.bytesWritten, refused > 0, drains === refused));
  more();
});
server.listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1');
  let got = 0;
  let pauses = 0;
  client.on('data', (data) => {
    got += data.length;
    if (got > pauses * 1024 * 1024) {
      pauses++;
      client.pause();
      const before = client.bytesRead;
      setTimeout(() => {
        if (client.bytesRead - before > 200 * 1024) console.log('read on while paused');
        client.resume();
      }, 5);
    }
  });
  client.on('end', () => console.log('reader', got, client.bytesRead, pauses));
  client.on('close', () => server.close(() => console.log('closed')));
});
