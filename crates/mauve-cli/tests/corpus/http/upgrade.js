const http = require('http');
const net = require('net');

const server = http.createServer((req, res) => res.end('plain'));
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  const upgrade = () => new Promise((resolve) => {
    const req = http.request({
      port, host: '127.0.0.1', headers: { Connection: 'Upgrade', Upgrade: 'echo' },
    });
    req.on('response', (res) => {
      console.log('response', res.statusCode);
      res.resume();
      res.on('end', resolve);
    });
    req.on('upgrade', (res, socket, head) => {
      console.log('upgrade', res.statusCode, res.headers.upgrade, String(head));
      socket.on('data', (data) => {
        console.log('client', String(data));
        socket.end();
      });
      socket.on('close', resolve);
      socket.write('hello');
    });
    req.on('close', () => console.log('request close'));
    req.end();
  });
  await upgrade();
  server.on('upgrade', (req, socket, head) => {
    console.log('server upgrade', req.headers.upgrade, head.length, req.method);
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\nfirst');
    socket.on('data', (data) => {
      console.log('server', String(data));
      socket.write(String(data).toUpperCase());
    });
    socket.on('end', () => { console.log('server end'); socket.end(); });
  });
  await upgrade();

  server.on('connect', (req, socket, head) => {
    console.log('connect', req.url, String(head));
    socket.end('HTTP/1.1 200 Connected\r\n\r\ntunnel');
  });
  await new Promise((resolve) => {
    const req = http.request({ port, host: '127.0.0.1', method: 'CONNECT', path: 'far.away:80' });
    req.on('connect', (res, socket, head) => {
      console.log('connected', res.statusCode);
      let text = String(head);
      socket.on('data', (data) => { text += data; });
      socket.on('end', () => { console.log(text); socket.end(); resolve(); });
    });
    req.end();
  });
  const socket = net.connect(port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\nextra');
  socket.once('data', () => { socket.destroy(); server.close(() => console.log('closed')); });
});
