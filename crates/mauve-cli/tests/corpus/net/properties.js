// The properties of a socket in each state, and writes after the peer has ended.
const net = require('net');

const server = net.createServer((socket) => {
  socket.on('error', () => {});
  socket.resume();
  socket.end('bye');
});
server.maxConnections = Infinity;
server.on('drop', () => console.log('drop'));
server.listen(0, () => {
  const socket = net.connect(server.address().port);
  console.log(socket.readyState, socket.pending, socket.remoteAddress, socket.localPort);
  socket.write('héllo');
  socket.write('x', 'latin1');
  socket.write(Buffer.from('yy'));
  console.log(socket.bytesWritten, socket.bufferSize);
  socket.on('ready', () => {
    console.log('ready', socket.readyState, socket.remoteFamily, typeof socket.localPort, socket.bytesWritten);
  });
  socket.on('end', () => {
    console.log('end', socket.writableEnded, socket.readyState);
    setImmediate(() => {
      console.log(socket.write('late', (err) => console.log('callback', err.code, err.message)));
    });
  });
  socket.resume();
  socket.on('error', (err) => console.log('error', err.code, err.message));
  socket.on('close', (hadError) => {
    console.log('close', hadError, socket.bytesRead, socket.bytesWritten, socket.readyState);
    reset();
  });
});

function reset() {
  const socket = new net.Socket({ allowHalfOpen: true });
  socket.setNoDelay().setKeepAlive(true, 5000).connect(server.address().port, '127.0.0.1');
  socket.setTimeout(20, () => {
    console.log('timeout', socket.timeout);
    socket.resetAndDestroy();
  });
  socket.resume();
  socket.on('close', (hadError) => {
    console.log('close', hadError);
    server.close(() => console.log('closed'));
  });
  new net.Socket().on('error', (err) => console.log(err.code)).resetAndDestroy();
}
