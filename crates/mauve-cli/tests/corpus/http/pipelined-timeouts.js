// headersTimeout and requestTimeout hold for the second of two pipelined requests.
const http = require('http');
const net = require('net');

const HEAD = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';

function run(options, second, next) {
  const server = http.createServer({ connectionsCheckingInterval: 10, ...options }, (req, res) => {
    console.log('request', req.method);
    req.on('error', (err) => console.log('request', err.code)).resume();
    if (req.method === 'GET') res.end();
  });
  server.on('clientError', (err, socket) => {
    console.log(err.code);
    socket.end('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
  });
  server.listen(0, '127.0.0.1', () => {
    const client = net.connect(server.address().port, '127.0.0.1');
    client.on('close', () => server.close(next)).on('end', () => client.end()).resume();
    client.write(HEAD + second);
  });
}

run({ headersTimeout: 50, requestTimeout: 0 }, 'GET / HTTP/1.1\r\nHo', () => {
  run({ headersTimeout: 0, requestTimeout: 50 }, 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nab', () => {
    run({ headersTimeout: 50, requestTimeout: 100 }, 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n', () => {
      console.log('done');
    });
  });
});
