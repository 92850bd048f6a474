// close() after end(): the idle connection is closed at once, and a busy one when the client closes it.
const http = require('http');

const server = http.createServer((req, res) => {
  res.on('finish', () => console.log('finish'));
  res.end('hello');
  setImmediate(() => server.close(() => console.log('server close')));
});
server.listen(0, '127.0.0.1', () => {
  const agent = new http.Agent({ keepAlive: true });
  http.get({ port: server.address().port, host: '127.0.0.1', agent }, (res) => {
    res.on('data', (data) => console.log('data', String(data))).on('end', () => console.log('end'));
    res.socket.on('end', () => console.log('socket end')).on('close', () => console.log('socket close'));
  });
});
const start = Date.now();
process.on('exit', () => console.log('at once', Date.now() - start < 2000));
