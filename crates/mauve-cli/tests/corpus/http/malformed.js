// Several hundred malformed requests and responses: the same messages, errors and answers.
const http = require('http');
const net = require('net');

let seed = 20;
const random = (limit) => {
  seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
  return (seed >>> 8) % limit;
};
const pick = (list) => list[random(list.length)];
const rarely = (usual, list) => (random(8) === 0 ? pick(list) : usual);

const END = () => rarely('\r\n', ['\n', '\r', '\r\r\n', '\n\r', '\r\n ', '']);
const VALUES = {
  'Content-Length': ['0', '5', '5 ', '+5', '-1', '5, 5', '0x5', '5a', '', '18446744073709551616', '05', '5\t'],
  'Transfer-Encoding': ['chunked', 'Chunked', 'chunked ', 'gzip, chunked', 'chunked, gzip', 'chunked, chunked',
    'chunkedx', 'xchunked', 'identity', '', ',chunked', 'chunked,'],
  'Connection': ['close', 'keep-alive', 'Close', 'close, keep-alive', 'foo close', 'close foo', '', 'closee'],
  'X-Text': ['a', '', 'a b', 'caf\xe9', 'a\x7f', 'a\0b', 'a\x01', 'a: b'],
  'constructor': ['a', 'b'],
  '__proto__': ['a'],
};
VALUES['content-length'] = VALUES['Content-Length'];

function fields() {
  let text = '';
  for (let count = random(4); count > 0; count--) {
    const name = pick(Object.keys(VALUES).concat('__proto__'));
    const values = Object.hasOwn(VALUES, name) ? VALUES[name] : ['a'];
    text += rarely(name, [`${name} `, `${name}\t`, `${name}(`, ` ${name}`, `${name}\xe9`]) +
      rarely(': ', [':', ' : ', ':\t', '', ':  ']) + pick(values) + END();
  }
  return text;
}

function body() {
  if (random(2) === 0) return pick(['', 'hello', 'hell']);
  let text = '';
  for (let count = random(3); count > 0; count--) {
    text += rarely('5', ['', 'g', '5 ', '0x5', '-1', 'FFFFFFFFFFFFFFFFF', '00005']) +
      rarely('', [';a', ';a=b', ';a="b"', ';a="b\\"c"', ';', ';=', ' ;a', ';a =b', ';a="b"c']) + END() + 'hello' + END();
  }
  return text + rarely('0', ['00', '', '0;x']) + END() + (random(4) === 0 ? fields() : '') + END();
}

function request() {
  return rarely('', ['\r\n', ' ']) + rarely('POST', ['GET', 'HEAD', 'get', 'GETT', 'QUERY', 'SETUP']) +
    rarely(' ', ['', '  ', '\t']) + rarely('/a?b', ['*', 'http://a/b', '/#c', '/\xe9', '', '/a b', 'http:/a', '?a']) +
    rarely(' ', ['', '  ', '\t']) + rarely('HTTP/1.1', ['HTTP/1.0', 'HTTP/1.2', 'HTTP/11', 'http/1.1', 'HTTP', '']) +
    END() + 'Host: x' + END() + fields() + END() + body();
}

function response() {
  return rarely('HTTP/1.1', ['HTTP/1.0', 'HTTP/1.2', 'http/1.1', 'ICE/1.0']) + rarely(' ', ['', '  ', '\t']) +
    rarely('200', ['204', '304', '404', '99', '1000', '2x0', '']) + rarely(' ', ['', '\t']) +
    rarely('OK', ['', 'a\tb', 'caf\xe9']) + END() + fields() + END() + body();
}

// Each message is the input of one connection.
const lines = [];
const COUNT = 300;
const cases = (make) => Array.from({ length: COUNT }, make);

function runRequests(inputs, done) {
  const log = new Map();
  const server = http.createServer((req, res) => {
    const entry = log.get(req.socket);
    entry.push(`${req.method} ${req.url} ${req.httpVersion} ${JSON.stringify(req.rawHeaders)} ` +
      JSON.stringify(Object.entries(req.headers)));
    let text = '';
    req.on('data', (part) => { text += part.toString('latin1'); });
    req.on('end', () => entry.push(`body ${JSON.stringify(text)} ${JSON.stringify(req.rawTrailers)}`));
    req.on('error', (err) => entry.push(`request ${err.code}`));
    res.removeHeader('date');
    res.end('ok');
  });
  server.on('connection', (socket) => log.set(socket, []));
  server.on('clientError', (err, socket) => {
    log.get(socket).push(`${err.code} ${err.reason} ${err.bytesParsed} ${err.message}`);
    socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
  });
  server.listen(0, '127.0.0.1', function next() {
    const input = inputs.shift();
    if (input === undefined) {
      server.close(done);
      return;
    }
    server.once('connection', (socket) => {
      socket.on('close', () => {
        lines.push(JSON.stringify(input), ...log.get(socket));
        next();
      });
    });
    const client = net.connect(server.address().port, '127.0.0.1');
    client.on('error', () => {}).on('data', () => {});
    client.end(input, 'latin1');
  });
}

function runResponses(inputs, done) {
  let input;
  const server = net.createServer((socket) => {
    socket.on('error', () => {}).once('data', () => socket.end(input, 'latin1'));
  });
  server.listen(0, '127.0.0.1', function next() {
    input = inputs.shift();
    if (input === undefined) {
      server.close(done);
      return;
    }
    lines.push(JSON.stringify(input));
    const req = http.get({ port: server.address().port, host: '127.0.0.1', agent: false }, (res) => {
      lines.push(`${res.statusCode} ${res.statusMessage} ${res.httpVersion} ${JSON.stringify(res.rawHeaders)}`);
      let text = '';
      res.on('data', (part) => { text += part.toString('latin1'); });
      res.on('end', () => lines.push(`body ${JSON.stringify(text)} ${JSON.stringify(res.rawTrailers)}`));
      res.on('error', (err) => lines.push(`response ${err.code}`));
    });
    req.on('error', (err) => lines.push(`${err.code} ${err.reason} ${err.bytesParsed} ${err.message}`));
    req.on('close', () => setImmediate(next));
  });
}

runRequests(cases(request), () => runResponses(cases(response), () => console.log(lines.join('\n'))));
