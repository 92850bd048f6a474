const http = require('http');
const socketPath = `/tmp/corpus-http-${process.pid}.sock`;

const server = http.createServer((req, res) => {
  console.log(req.url, req.headers.host, req.socket.remoteAddress);
  res.end('over a path');
});
server.listen(socketPath, () => {
  http.get({ socketPath, path: '/x' }, (res) => {
    res.on('data', (data) => console.log(String(data)));
    res.on('end', () => server.close(() => console.log('closed')));
  });
});
