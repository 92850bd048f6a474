// server.close() closes idle connections and waits for busy ones.
const http = require('http');
const net = require('net');

const server = http.createServer((req, res) => {
  console.log('request', req.url);
  if (req.url === '/fast') {
    res.end('fast');
    return;
  }
  setImmediate(() => {
    server.close((err) => console.log('server closed', err));
    console.log('close called', server.listening);
    setTimeout(() => { res.end('slow'); setTimeout(() => server.closeAllConnections(), 30); }, 20);
  });
});
server.on('connection', (socket) => socket.on('close', () => console.log('connection closed')));
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  const idle = net.connect(port, '127.0.0.1');
  idle.on('close', () => console.log('idle closed'));
  idle.write('GET /fast HTTP/1.1\r\nHost: h\r\n\r\n');
  idle.once('data', () => {
    const busy = net.connect(port, '127.0.0.1');
    let text = '';
    busy.on('data', (data) => { text += data; });
    busy.on('close', () => console.log('busy closed', text.endsWith('slow'), /Connection: (\S+)/.exec(text)[1]));
    busy.write('GET /slow HTTP/1.1\r\nHost: h\r\n\r\n');
  });
});
