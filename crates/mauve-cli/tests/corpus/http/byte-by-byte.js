// A request and a response that arrive byte by byte.
const http = require('http');
const net = require('net');

const server = http.createServer((req, res) => {
  let body = '';
  req.on('data', (data) => { body += data; });
  req.on('end', () => {
    console.log(req.method, req.url, body, req.trailers, req.rawTrailers);
    res.end(body);
  });
});
const request = 'POST /slow HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n' +
  '5;ext=1\r\nhello\r\n6\r\n world\r\n0\r\nX-Sum: 1\r\nX-More: 2\r\n\r\n';
server.listen(0, '127.0.0.1', () => {
  const socket = net.connect(server.address().port, '127.0.0.1');
  socket.setNoDelay(true);
  let i = 0;
  (function next() {
    if (i === request.length) return;
    socket.write(request[i++]);
    setImmediate(next);
  })();
  let text = '';
  socket.on('data', (data) => { text += data; });
  socket.on('close', () => {
    console.log(text.replace(/Date: [^\r]*/g, 'Date: X'));
    server.close(client);
  });
});

function client() {
  const response = 'HTTP/1.1 200 Fine\r\nTransfer-Encoding: chunked\r\nX-A: \u00e9\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\nT: v\r\n\r\n';
  const slow = net.createServer((peer) => {
    peer.setNoDelay(true);
    peer.resume();
    let i = 0;
    (function next() {
      if (i === response.length) { peer.end(); return; }
      peer.write(response[i++], 'latin1');
      setImmediate(next);
    })();
  });
  slow.listen(0, '127.0.0.1', () => {
    http.get({ port: slow.address().port, host: '127.0.0.1', agent: false }, (res) => {
      console.log(res.statusCode, res.statusMessage, res.headers);
      let body = '';
      res.on('data', (data) => { body += data; });
      res.on('end', () => { console.log(body, res.trailers, res.complete); slow.close(); });
    });
  });
}
