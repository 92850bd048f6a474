// Connecting by name, with a custom lookup function.
const net = require('net');

const server = net.createServer((peer) => peer.end());
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  const lookups = [];
  const lookup = (host, options, callback) => {
    lookups.push([host, options.all, options.family]);
    process.nextTick(() => {
      if (options.all) callback(null, [{ address: '127.0.0.1', family: 4 }]);
      else callback(null, '127.0.0.1', 4);
    });
  };
  const client = net.connect({ port, host: 'some.name', lookup });
  client.on('lookup', (err, ip, family, host) => console.log('lookup', err, ip, family, host));
  client.on('connectionAttempt', (ip, p, family) => console.log('attempt', ip, p === port, family));
  client.on('connect', () => console.log('connect', client.remoteAddress));
  client.resume();
  client.on('close', () => {
    const fourth = net.connect({ port, host: 'some.name', family: 4, lookup }, () => {
      console.log(lookups);
      fourth.on('close', bad);
      fourth.resume();
    });
  });
  function bad() {
    const wrong = net.connect({ port, host: 'x', family: 4, lookup: (h, o, cb) => cb(null, 'nonsense', 4) });
    wrong.on('error', (err) => console.log(err.code, err.message));
    wrong.on('close', () => {
      const odd = net.connect({ port, host: 'x', family: 4, lookup: (h, o, cb) => cb(null, '127.0.0.1', 5) });
      odd.on('error', (err) => {
        console.log(err.code, err.message.replace(port, 'PORT'), err.host);
        server.close();
      });
    });
  }
});
