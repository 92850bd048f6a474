// The errors of a client when nothing listens.
const net = require('net');

function show(name, err) {
  console.log(name, Object.keys(err), err.code, err.errno, err.syscall,
    err.message.replace(/:\d+/g, ':PORT'), err.address, typeof err.port);
}

const server = net.createServer();
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  server.close(() => {
    const client = net.connect(port, '127.0.0.1');
    const order = [];
    client.on('error', (err) => { order.push('error'); show('tcp', err); });
    client.on('close', (hadError) => {
      order.push('close');
      console.log(order, hadError, client.destroyed);
      pipes();
    });
    client.write('lost', (err) => console.log('write', err.code, err.message.replace(/:\d+/g, ':PORT')));
  });
});

function pipes() {
  const client = net.connect('/no/such/socket');
  client.on('error', (err) => show('pipe', err));
  client.on('close', (hadError) => {
    console.log('close', hadError);
    notASocket();
  });
}

function notASocket() {
  const client = net.connect({ path: '/dev/null' });
  client.on('error', (err) => show('null', err));
  client.on('close', names);
}

function names() {
  const client = net.connect(80, 'no-such-host.invalid');
  client.on('lookup', (err, ip, family, host) => console.log('lookup', err.code, ip, family, host));
  client.on('error', (err) => console.log(err.syscall, err.hostname, ['ENOTFOUND', 'EAI_AGAIN'].includes(err.code)));
  client.on('close', (hadError) => console.log('close', hadError));
}
