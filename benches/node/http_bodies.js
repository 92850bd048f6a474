// An HTTP server that reads requests to their end. The argument selects what it does.
'use strict';
const http = require('http');

const TEXT = 'hello world';
const head = { 'Content-Type': 'text/plain', 'Content-Length': TEXT.length };

const listeners = {
  end(request, response) {
    request.on('end', () => response.end(TEXT));
    request.resume();
  },
  data(request, response) {
    let body = '';
    request.on('data', (part) => { body += part; });
    request.on('end', () => response.writeHead(200, head).end(TEXT + body));
  },
  write(request, response) {
    response.writeHead(200, head);
    response.write(TEXT.slice(0, 5));
    response.end(TEXT.slice(5));
  },
};

const server = http.createServer(listeners[process.argv[2]]);
server.listen(0, '127.0.0.1', () => {
  console.log(`ready 127.0.0.1:${server.address().port}`);
});
