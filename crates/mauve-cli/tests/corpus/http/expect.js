// 100-continue, from both sides.
const http = require('http');

const server = http.createServer((req, res) => {
  console.log('request', req.headers.expect);
  let size = 0;
  req.on('data', (data) => { size += data.length; });
  req.on('end', () => res.end(String(size)));
});

function post(expect) {
  return new Promise((resolve) => {
    const req = http.request({
      port: server.address().port, host: '127.0.0.1', method: 'POST', agent: false,
      headers: { Expect: expect, 'Content-Length': 5 },
    });
    req.on('continue', () => { console.log('continue'); req.end('12345'); });
    req.on('information', ({ statusCode, statusMessage, headers }) => console.log('information', statusCode, statusMessage, headers));
    req.on('response', (res) => {
      console.log('response', res.statusCode, res.headers.connection);
      res.on('data', (data) => console.log('data', String(data)));
      res.on('end', () => { req.destroy(); });
    });
    req.on('error', (err) => console.log('error', err.code));
    req.on('close', () => setTimeout(resolve, 10));
    req.flushHeaders();
  });
}

server.listen(0, '127.0.0.1', async () => {
  await post('100-continue');
  await post('something-else');
  server.on('checkContinue', (req, res) => {
    console.log('checkContinue');
    res.writeHead(413);
    res.end('no');
  });
  await post('100-continue');
  server.on('checkExpectation', (req, res) => {
    console.log('checkExpectation', req.headers.expect);
    res.statusCode = 200;
    res.end('fine');
  });
  await post('miracles');
  server.close();
});
