const net = require('net');

const server = net.createServer((peer) => {
  peer.on('error', () => {});
  peer.resume();
});
server.listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1');
  client.setTimeout(60, () => console.log('callback once'));
  let count = 0;
  client.on('timeout', () => {
    count++;
    console.log('timeout', client.timeout, client.destroyed, client.readyState);
    if (count === 1) client.setTimeout(30);
    else client.destroy();
  });
  client.on('close', (hadError) => {
    console.log('close', hadError);
    const quiet = net.connect({ port: server.address().port, host: '127.0.0.1', timeout: 20 });
    quiet.on('timeout', () => {
      console.log('from options', quiet.timeout);
      quiet.setTimeout(0);
      quiet.end();
      quiet.on('close', () => server.close());
    });
    for (const value of ['1', -1, Infinity, NaN, null]) {
      try {
        quiet.setTimeout(value);
      } catch (err) {
        console.log(err.code, err.message);
      }
    }
    try {
      quiet.setTimeout(10, 'no function');
    } catch (err) {
      console.log(err.code, err.message);
    }
    quiet.setTimeout(20);
  });
});
