// Ticks and promises of pipelined requests. The queues are drained after each part of a body only.
const http = require('http');
const net = require('net');

const server = http.createServer((req, res) => {
  console.log('request', req.url);
  process.nextTick(() => console.log('tick', req.url));
  Promise.resolve().then(() => console.log('promise', req.url));
  req.on('end', () => console.log('end', req.url)).resume();
  res.end();
});
server.on('clientError', (err, socket) => {
  console.log(err.code);
  socket.destroy();
});
server.listen(0, '127.0.0.1', () => {
  const head = (method, url, ...fields) => [`${method} ${url} HTTP/1.1`, 'Host: a', ...fields, '', ''].join('\r\n');
  const client = net.connect(server.address().port, '127.0.0.1');
  client.on('close', () => server.close()).resume();
  client.write(head('GET', '/1') + head('GET', '/2') + head('POST', '/3', 'Content-Length: 2') + 'ab' +
    head('POST', '/4', 'Transfer-Encoding: chunked') + '1\r\na\r\n0\r\n\r\n' + head('GET', '/5') + 'BAD\r\n\r\n');
});
