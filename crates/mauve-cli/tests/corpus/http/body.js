// Bodies in both directions: with a length, chunked, empty, buffers and strings.
const http = require('http');

const server = http.createServer((req, res) => {
  const chunks = [];
  req.on('data', (chunk) => chunks.push(chunk));
  req.on('end', () => {
    const body = Buffer.concat(chunks);
    console.log('request', req.method, req.url, req.headers['content-length'], req.headers['transfer-encoding'], body.length, req.complete);
    if (req.url === '/chunks') {
      res.write('first,');
      res.write(Buffer.from('second,'));
      setTimeout(() => { res.write('th\u00efrd,', 'latin1'); res.end('last'); }, 5);
    } else if (req.url === '/length') {
      res.setHeader('Content-Length', body.length);
      res.end(body);
    } else if (req.url === '/head-then-body') {
      res.writeHead(201, 'Made', { 'X-One': '1' });
      res.write('a');
      res.end();
    } else if (req.url === '/utf8') {
      res.end('\u20ac uro');
    } else {
      res.end();
    }
  });
});

function ask(options, body) {
  return new Promise((resolve) => {
    const req = http.request({ port: server.address().port, host: '127.0.0.1', ...options }, (res) => {
      const chunks = [];
      res.on('data', (chunk) => chunks.push(chunk));
      res.on('end', () => {
        const { date, ...headers } = res.headers;
        console.log('response', res.statusCode, res.statusMessage, headers, Buffer.concat(chunks).toString('latin1'));
        resolve();
      });
    });
    for (const part of [].concat(body ?? [])) req.write(part);
    req.end();
  });
}

server.listen(0, '127.0.0.1', async () => {
  await ask({ path: '/chunks' });
  await ask({ path: '/length', method: 'POST' }, 'some text');
  await ask({ path: '/length', method: 'PUT', headers: { 'Content-Length': 4 } }, Buffer.from('1234'));
  await ask({ path: '/length', method: 'POST' }, ['many ', Buffer.from('parts '), 'here']);
  await ask({ path: '/head-then-body' });
  await ask({ path: '/utf8' });
  await ask({ path: '/' });
  await ask({ path: '/', method: 'DELETE' });
  await ask({ path: '/length', method: 'HEAD' });
  await ask({ path: '/chunks', method: 'OPTIONS' });
  await ask({ path: '/length', method: 'POST' }, Buffer.alloc(200000, 'x').toString().slice(0, 10));
  server.close(() => console.log('closed'));
});
