// autoSelectFamily: if one address fails, the next one is tried.
const net = require('net');

const server = net.createServer((peer) => peer.end());
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  const lookup = (addresses) => (host, options, callback) => process.nextTick(callback, null, addresses);
  const client = net.connect({ port, host: 'both', lookup: lookup([
    { address: '127.0.0.2', family: 4 }, { address: '127.0.0.1', family: 4 },
  ].slice()) });
  client.on('connectionAttempt', (ip, p, family) => console.log('attempt', ip, family));
  client.on('connectionAttemptFailed', (ip, p, family, err) => console.log('failed', ip, family, err.code));
  client.on('connect', () => {
    console.log('connect', client.autoSelectFamilyAttemptedAddresses.map((a) => a.replace(port, 'PORT')));
  });
  client.resume();
  client.on('close', (hadError) => {
    console.log('close', hadError);
    const none = net.connect({ port, host: 'none', lookup: lookup([
      { address: '127.0.0.2', family: 4 }, { address: '127.0.0.3', family: 4 },
    ]) });
    none.on('error', (err) => {
      console.log(err.name, err.code, err.message === '', err.errors.map((e) => e.message.replace(port, 'PORT')));
      server.close();
    });
    none.on('close', (error) => console.log('close', error));
  });
});
