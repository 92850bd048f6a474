// Server timeouts.
const http = require('http');
const net = require('net');

function round(name, options, request, setup) {
  return new Promise((resolve) => {
    const server = http.createServer(options, (req, res) => {
      console.log(name, 'request', req.url);
      if (req.url === '/answer') res.end('x');
    });
    setup?.(server);
    server.listen(0, '127.0.0.1', () => {
      const socket = net.connect(server.address().port, '127.0.0.1');
      let text = '';
      socket.on('data', (data) => { text += data; });
      socket.on('error', (err) => console.log(name, err.code));
      socket.on('close', () => {
        console.log(name, JSON.stringify(text.replace(/Date: [^\r]*/g, 'Date: X')));
        server.close(resolve);
      });
      socket.write(request);
    });
  });
}

(async () => {
  await round('keep-alive', { keepAliveTimeout: 30 }, 'GET /answer HTTP/1.1\r\nHost: h\r\n\r\n');
  await round('headers', { headersTimeout: 20, requestTimeout: 100, connectionsCheckingInterval: 10 }, 'GET / HTTP/1.1\r\nHo');
  await round('request', { headersTimeout: 20, requestTimeout: 40, connectionsCheckingInterval: 10 },
    'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nab');
  await round('timeout', {}, 'GET /never HTTP/1.1\r\nHost: h\r\n\r\n', (server) => server.setTimeout(30));
  await round('timeout event', {}, 'GET /never HTTP/1.1\r\nHost: h\r\n\r\n', (server) => {
    server.setTimeout(30, (socket) => { console.log('own'); socket.destroy(); });
  });
  const server = http.createServer();
  console.log(server.headersTimeout, server.requestTimeout, server.keepAliveTimeout, server.timeout,
    server.maxRequestsPerSocket, server.maxHeadersCount, server.connectionsCheckingInterval);
})();
