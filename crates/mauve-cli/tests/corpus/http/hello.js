const http = require('http');

const server = http.createServer((req, res) => {
  console.log(req.method, req.url, req.httpVersion, req.headers.host !== undefined, req.rawHeaders.length);
  res.writeHead(200, { 'Content-Type': 'text/plain' });
  res.end('Hello World\n');
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address();
  http.get({ port, host: '127.0.0.1', path: '/a?b=c' }, (res) => {
    console.log(res.statusCode, res.statusMessage, res.httpVersion);
    const { date, ...headers } = res.headers;
    console.log(headers, typeof date, date.length);
    let body = '';
    res.setEncoding('utf8');
    res.on('data', (text) => { body += text; });
    res.on('end', () => {
      console.log(JSON.stringify(body), res.complete);
      server.close(() => console.log('closed'));
    });
    res.on('close', () => console.log('response close'));
  }).on('close', () => console.log('request close'));
});
