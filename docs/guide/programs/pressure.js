// A writer that is faster than its reader: it stops when `write` returns false, and goes on at 'drain'.
const net = require('net');

const chunk = Buffer.alloc(65536);
let [sent, received, pauses] = [0, 0, 0];

function fill(socket) {
  do sent += chunk.length;
  while (socket.write(chunk));
  pauses++;
  console.log(`pause ${pauses}: the buffer is full, the writer waits`);
}

const server = net.createServer((reader) => {
  reader.on('data', (data) => {
    received += data.length;
  });
  reader.on('end', () => {
    server.close();
    console.log(sent === received ? 'every byte has arrived' : 'bytes are missing');
  });
});

server.listen(0, '127.0.0.1', () => {
  const writer = net.connect(server.address().port, '127.0.0.1', () => fill(writer));
  writer.on('drain', () => {
    console.log('the buffer is empty');
    if (pauses < 3) fill(writer);
    else writer.end();
  });
});
