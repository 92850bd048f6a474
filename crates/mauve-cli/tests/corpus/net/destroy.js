// destroy in every state of a socket.
const net = require('net');

const server = net.createServer((peer) => {
  peer.on('error', (err) => console.log('peer error', err.code));
  peer.resume();
});
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  const watch = (name, socket) => new Promise((resolve) => {
    for (const event of ['connect', 'end', 'finish', 'error']) {
      socket.on(event, (err) => console.log(name, event, err ? err.message : ''));
    }
    socket.on('close', (hadError) => {
      console.log(name, 'close', hadError, socket.destroyed, socket.readyState, socket.pending);
      setTimeout(resolve, 10);
    });
  });

  let socket = new net.Socket();
  let done = watch('fresh', socket);
  socket.destroy();
  await done;

  socket = net.connect(port, '127.0.0.1');
  done = watch('connecting', socket);
  socket.write('x', (err) => console.log('write', err.code));
  socket.destroy();
  await done;

  socket = net.connect(port, '127.0.0.1');
  done = watch('with error', socket);
  socket.on('connect', () => socket.destroy(new Error('own')));
  await done;

  socket = net.connect(port, '127.0.0.1');
  done = watch('twice', socket);
  socket.on('connect', () => { socket.destroy(); socket.destroy(new Error('ignored')); socket.end(); });
  await done;

  socket = net.connect(port, '127.0.0.1');
  done = watch('soon', socket);
  socket.on('connect', () => { socket.write('all of this'); socket.destroySoon(); });
  await done;

  socket = net.connect(port, '127.0.0.1');
  done = watch('write after end', socket);
  socket.on('connect', () => { socket.end('x'); socket.write('y', (err) => console.log('cb', err.code)); });
  await done;

  socket = net.connect(port, '127.0.0.1');
  done = watch('write after destroy', socket);
  socket.on('connect', () => { socket.destroy(); console.log(socket.write('y', (err) => console.log('cb', err.code))); });
  await done;

  console.log(server.close() === server);
});
