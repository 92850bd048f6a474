// Chunk boundaries: the body of a request is expected in one chunk.
const http = require('http');
const server = http.createServer((request, response) => {
  let chunks = 0;
  request.on('data', () => chunks++);
  request.on('end', () => { response.end(); process.exitCode = chunks === 1 ? 0 : 3; });
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  const request = http.request({ port, host: '127.0.0.1', method: 'POST', agent: false }, (response) => {
    response.resume();
    response.on('end', () => server.close());
  });
  request.end('a body that fits into one packet');
});
