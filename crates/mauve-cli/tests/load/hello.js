// A server that prints its port. It responds to /memory with its resident memory.
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
