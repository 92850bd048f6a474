// Pipelined requests are answered in order, regardless of their duration.
const http = require('http');
const net = require('net');

const server = http.createServer((req, res) => {
  const [, name, delay] = req.url.split('/');
  console.log('request', name);
  setTimeout(() => {
    console.log('response', name);
    res.end(name);
  }, Number(delay));
});
server.listen(0, '127.0.0.1', () => {
  const socket = net.connect(server.address().port, '127.0.0.1');
  const head = (path) => `GET ${path} HTTP/1.1\r\nHost: h\r\n\r\n`;
  // One request arrives in pieces.
  socket.write(head('/a/30') + head('/b/10') + head('/c/20') + 'GET /d/1 HT');
  setTimeout(() => socket.write('TP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n'), 5);
  let text = '';
  socket.on('data', (data) => { text += data; });
  socket.on('end', () => {
    console.log(text.split('\r\n\r\n').map((part) => part[0]).join(''), text.match(/Connection: \S+/g));
    server.close();
  });
});
