// The bytes of responses, read with a plain socket.
const http = require('http');
const net = require('net');

const server = http.createServer({ keepAliveTimeout: 3000 }, (req, res) => {
  switch (req.url) {
    case '/end': res.end('body'); break;
    case '/empty': res.end(); break;
    case '/204': res.writeHead(204); res.end('ignored'); break;
    case '/304': res.statusCode = 304; res.end(); break;
    case '/write': res.write('a'); res.write('bc'); res.end('d'); break;
    case '/headers':
      res.setHeader('X-Array', ['1', '2']);
      res.setHeader('x-lower', 'v');
      res.setHeader('Set-Cookie', ['a=1', 'b=2']);
      res.removeHeader('x-lower');
      res.appendHeader('X-Array', '3');
      res.end('h');
      break;
    case '/close': res.setHeader('Connection', 'close'); res.end('bye'); break;
    case '/array': res.writeHead(200, ['A', '1', 'B', '2', 'A', '3']); res.end('x'); break;
    case '/nodate': res.sendDate = false; res.end('x'); break;
    case '/status': res.writeHead(299, 'Odd'); res.end('x'); break;
    case '/unknown': res.writeHead(599); res.end('x'); break;
    case '/trailers':
      res.writeHead(200, { Trailer: 'X-Sum' });
      res.write('data');
      res.addTrailers({ 'X-Sum': '42' });
      res.end();
      break;
    case '/flush': res.flushHeaders(); res.end('later'); break;
    case '/length': res.writeHead(200, { 'Content-Length': 3 }); res.end('abc'); break;
    case '/processing': res.writeProcessing(); res.end('done'); break;
    case '/hints': res.writeEarlyHints({ link: '</a.css>; rel=preload', 'x-y': 'z' }); res.end('done'); break;
    default: res.statusCode = 404; res.statusMessage = 'Nowhere'; res.end('?');
  }
});

function talk(request) {
  return new Promise((resolve) => {
    const socket = net.connect(server.address().port, '127.0.0.1');
    let text = '';
    socket.on('data', (data) => { text += data.toString('latin1'); });
    socket.on('close', () => {
      console.log(`> ${JSON.stringify(request.slice(0, 60))}`);
      console.log(text.replace(/Date: [^\r]*/g, 'Date: X'));
      resolve();
    });
    socket.write(request);
  });
}

const get = (path, more = '') => `GET ${path} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n${more}\r\n`;

server.listen(0, '127.0.0.1', async () => {
  for (const path of ['/end', '/empty', '/204', '/304', '/write', '/headers', '/close', '/array', '/nodate',
    '/status', '/unknown', '/trailers', '/flush', '/length', '/processing', '/hints', '/nowhere']) {
    await talk(get(path));
  }
  await talk('HEAD /end HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
  await talk('HEAD /write HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
  await talk('GET /end HTTP/1.0\r\n\r\n');
  await talk('GET /write HTTP/1.0\r\n\r\n');
  await talk('GET /end HTTP/1.0\r\nConnection: keep-alive\r\n\r\nGET /close HTTP/1.0\r\n\r\n');
  await talk('GET /end HTTP/1.1\r\nHost: h\r\n\r\nGET /write HTTP/1.1\r\nHost: h\r\n\r\nGET /close HTTP/1.1\r\nHost: h\r\n\r\n');
  server.close();
});
