// A server that says where it listens, and its memory when it is asked for that.
const http = require('http');

const server = http.createServer((req, res) => {
  if (req.url === '/memory') {
    globalThis.gc?.();
    res.end(String(process.memoryUsage().rss));
  } else {
    res.writeHead(200, { 'Content-Type': 'text/plain' });
    res.end('Hello World\n');
  }
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
