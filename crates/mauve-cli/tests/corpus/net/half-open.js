// allowHalfOpen: one side writes after the other has ended.
// Does not compare which of two sockets closes first: libuv 1.52 and mauve report EOF of a peer that
// has hung up one iteration after its last bytes, Node 20 reports it together with them.
const net = require('net');

function round(allowHalfOpen, next) {
  let open = 2;
  let peerError;
  const oneClosed = () => {
    if (--open === 0) {
      console.log('peer close', peerError);
      server.close(next);
    }
  };
  const server = net.createServer({ allowHalfOpen }, (peer) => {
    peer.resume();
    peer.on('end', () => {
      console.log(allowHalfOpen, 'peer end, writable', peer.writable, peer.readyState);
      if (allowHalfOpen) {
        setTimeout(() => peer.end('late'), 10);
      }
    });
    peer.on('close', (hadError) => {
      peerError = hadError;
      oneClosed();
    });
  });
  server.listen(0, '127.0.0.1', () => {
    const client = net.connect(server.address().port, '127.0.0.1', () => client.end('x'));
    client.on('data', (data) => console.log('data', String(data)));
    client.on('end', () => console.log('end'));
    client.on('close', (hadError) => {
      console.log('client close', hadError);
      oneClosed();
    });
  });
}

round(true, () => round(false, () => {
  const server = net.createServer((peer) => peer.end('bye'));
  server.listen(0, '127.0.0.1', () => {
    const client = net.connect(server.address().port, '127.0.0.1');
    client.resume();
    client.on('end', () => {
      setTimeout(() => {
        console.log('writable', client.writable);
        client.write('too late', (err) => console.log('callback', err.code, err.message));
      }, 20);
    });
    client.on('error', (err) => console.log('error', err.code, err.message));
    client.on('close', (hadError) => {
      console.log('close', hadError);
      server.close();
    });
  });
}));
