// An HTTP server. Run `mauve run examples/server.js`, then `curl localhost:8080/any/path`.
const http = require('http');

let served = 0;
const server = http.createServer((request, response) => {
  response.setHeader('content-type', 'application/json');
  response.end(`${JSON.stringify({ method: request.method, path: request.url, served: ++served })}\n`);
});

server.listen(process.argv[2] ?? 8080, () => {
  console.log(`http://localhost:${server.address().port}/`);
});
