// maxRequestsPerSocket, maxHeaderSize, maxHeadersCount, joinDuplicateHeaders, requireHostHeader.
const http = require('http');
const net = require('net');

function round(name, options, setup, request) {
  return new Promise((resolve) => {
    const server = http.createServer(options, (req, res) => {
      console.log(name, req.url, req.rawHeaders.length, req.headers['x-a'], req.headers['content-type'], req.headers.age);
      res.end(req.url);
    });
    server.on('dropRequest', (req) => console.log('drop', req.url));
    setup(server);
    server.listen(0, '127.0.0.1', () => {
      const socket = net.connect(server.address().port, '127.0.0.1');
      let text = '';
      socket.on('data', (data) => { text += data; });
      socket.on('error', () => {});
      socket.on('close', () => {
        console.log(text.replace(/Date: [^\r]*/g, 'Date: X'));
        server.close(resolve);
      });
      socket.write(request);
    });
  });
}
const get = (path, more = '') => `GET ${path} HTTP/1.1\r\nHost: h\r\n${more}\r\n`;
const last = 'Connection: close\r\n';

(async () => {
  await round('per socket', {}, (server) => { server.maxRequestsPerSocket = 2; },
    get('/1') + get('/2') + get('/3', last));
  await round('size', { maxHeaderSize: 200 }, () => {}, get('/', `X: ${'x'.repeat(300)}\r\n`));
  await round('size ok', { maxHeaderSize: 200 }, () => {}, get('/', last));
  await round('count', {}, (server) => { server.maxHeadersCount = 3; }, get('/', `X-A: 1\r\nX-B: 2\r\n${last}`));
  await round('count ok', {}, (server) => { server.maxHeadersCount = 4; }, get('/', `X-A: 1\r\nX-B: 2\r\n${last}`));
  await round('join', { joinDuplicateHeaders: true }, () => {},
    get('/', `X-A: 1\r\nX-A: 2\r\nContent-Type: a\r\nContent-Type: b\r\nAge: 1\r\nAge: 2\r\n${last}`));
  await round('no join', {}, () => {},
    get('/', `X-A: 1\r\nX-A: 2\r\nContent-Type: a\r\nContent-Type: b\r\nAge: 1\r\nAge: 2\r\n${last}`));
  await round('no host', { requireHostHeader: false }, () => {}, `GET / HTTP/1.1\r\n${last}\r\n`);
})();
