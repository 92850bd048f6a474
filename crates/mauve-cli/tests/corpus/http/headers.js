// The header methods of messages, and their errors.
const http = require('http');

function attempt(name, work) {
  try {
    const result = work();
    console.log(name, result instanceof http.OutgoingMessage ? 'itself' : result);
  } catch (err) {
    console.log(name, err.name, err.code, err.message);
  }
}

const server = http.createServer((req, res) => {
  console.log(req.headers);
  console.log(req.headersDistinct);
  attempt('set', () => res.setHeader('X-A', 1));
  attempt('set array', () => res.setHeader('X-B', ['1', '2']));
  attempt('get', () => res.getHeader('x-a'));
  attempt('has', () => [res.hasHeader('X-B'), res.hasHeader('nope')]);
  attempt('names', () => res.getHeaderNames());
  attempt('raw names', () => res.getRawHeaderNames());
  attempt('all', () => res.getHeaders());
  attempt('append', () => res.appendHeader('X-B', '3'));
  attempt('map', () => res.setHeaders(new Map([['m', '1']])));
  attempt('bad map', () => res.setHeaders({ a: 1 }));
  attempt('bad name', () => res.setHeader('a b', '1'));
  attempt('no name', () => res.setHeader('', '1'));
  attempt('undefined', () => res.setHeader('x'));
  attempt('bad value', () => res.setHeader('x', 'a\nb'));
  attempt('bad value 2', () => res.setHeader('x', '\u20ac'));
  attempt('get number', () => res.getHeader(1));
  attempt('status', () => res.writeHead(99));
  attempt('status text', () => res.writeHead('abc'));
  attempt('reason', () => res.writeHead(200, 'a\nb'));
  attempt('odd array', () => res.writeHead(200, ['a']));
  attempt('write null', () => res.write(null));
  attempt('write number', () => res.write(5));
  attempt('state', () => [res.headersSent, res.writableEnded, res.finished, res.statusCode]);
  res.removeHeader('X-B');
  attempt('head', () => res.writeHead(200, { Y: 'z' }));
  attempt('sent', () => res.headersSent);
  attempt('set late', () => res.setHeader('x', '1'));
  attempt('head late', () => res.writeHead(200));
  attempt('remove late', () => res.removeHeader('m'));
  attempt('trailers', () => res.addTrailers({ 'a b': 'x' }));
  res.on('error', (err) => console.log('error', err.code));
  res.end('x', () => console.log('ended', res.writableFinished));
  attempt('state', () => [res.headersSent, res.writableEnded, res.finished]);
  res.write('late', (err) => console.log('late write', err.code));
  res.end((err) => console.log('late end', err?.code));
});
server.listen(0, '127.0.0.1', () => {
  const req = http.get({
    port: server.address().port, host: '127.0.0.1', agent: false,
    headers: { Host: 'name', 'X-Many': ['a', 'b'], Cookie: ['c=1', 'd=2'], 'Content-Type': ['t/1', 't/2'] },
  }, (res) => {
    const { date, ...headers } = res.headers;
    console.log(headers, res.rawHeaders.filter((each) => each !== date));
    res.resume();
    res.on('end', () => server.close());
  });
  attempt('client header', () => req.getHeader('host'));
  attempt('client path', () => [req.path, req.method, req.protocol, req.host]);
});
attempt('name', () => http.validateHeaderName('ok-name'));
attempt('name', () => http.validateHeaderName('not ok'));
attempt('value', () => http.validateHeaderValue('x', undefined));
attempt('value', () => http.validateHeaderValue('x', '\u0000'));
attempt('path', () => http.get({ path: '/a b' }));
attempt('method', () => http.request({ method: 'a b' }));
attempt('method', () => http.request({ method: 5 }));
attempt('protocol', () => http.get('https://localhost/'));
attempt('host', () => http.get({ host: 5 }));
attempt('agent', () => http.get({ agent: 5 }));
attempt('options', () => http.createServer('x'));
console.log(http.METHODS.length, http.STATUS_CODES[418], http.maxHeaderSize);
