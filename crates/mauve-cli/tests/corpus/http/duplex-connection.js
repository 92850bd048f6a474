// A server accepts any duplex stream as a connection, and a script may read from its socket.
const http = require('http');
const { Duplex } = require('stream');

const server = http.createServer((req, res) => {
  console.log(req.method, req.url, req.complete);
  res.end(`answer to ${req.url}`);
});
let text = '';
const stream = new Duplex({
  read() {},
  write(chunk, encoding, callback) { text += chunk; callback(); },
  final(callback) {
    console.log(text.replace(/Date: [^\r]*/g, 'Date: X'));
    callback();
  },
});
server.emit('connection', stream);
stream.push('GET /one HTTP/1.1\r\nHost: h\r\n\r\n');
setTimeout(() => stream.push('GET /two HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n'), 10);
