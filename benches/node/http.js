// An HTTP server with a fixed response. The load generator is another process.
'use strict';
const http = require('http');

const server = http.createServer((request, response) => {
  response.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Length': 11 });
  response.end('hello world');
});
server.listen(0, '127.0.0.1', () => {
  console.log(`ready 127.0.0.1:${server.address().port}`);
});
