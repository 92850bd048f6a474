// What a response reports of its corking and its pending bytes, with and without a socket, and what end() does
// on a response that has ended. Node 24 sends what is corked at the end of a chunked response after the last chunk, so
// these are uncorked before.
const http = require('http');
const net = require('net');

const report = (label, res) =>
  console.log(label, res.writableCorked, res.socket?.writableCorked, res.writableLength, res.writableFinished);
const done = (label) => (err) => console.log(label, 'callback', err?.code);

const handlers = {
  uncork(res) {
    for (const method of ['uncork', 'uncork', 'cork', 'cork', 'uncork', 'uncork']) {
      res[method]();
      report(method, res);
    }
    res.end('x');
    report('end', res);
  },
  encodings(res) {
    res.cork();
    for (const [text, encoding] of [['0123', 'hex'], ['zz', 'hex'], ['abcd', 'base64'], ['é€', 'utf8'], ['é', 'latin1']]) {
      res.write(text, encoding);
      report(encoding, res);
    }
    res.uncork();
    report('uncorked', res);
    res.end();
  },
  endAgain(res) {
    res.on('error', (err) => console.log('error', err.code));
    res.end('x', done('first'));
    res.end(done('again'));
    res.end('chunk', done('a chunk'));
    for (const event of ['finish', 'close']) {
      res.on(event, () => {
        report(event, res);
        res.end(done(event));
        res.end('', done(`${event}, an empty chunk`));
        res.end('chunk', done(`${event}, a chunk`));
      });
    }
  },
  destroyed(res) {
    res.on('error', (err) => console.log('error', err.code));
    res.destroy();
    res.end(done('destroyed'));
    res.end('chunk', done('a chunk'));
    res.write('chunk', done('write'));
    report('destroyed', res);
  },
  // Corked before the response has the socket.
  waiting(res) {
    for (const method of ['uncork', 'cork', 'cork', 'cork', 'uncork']) {
      res[method]();
      report(method, res);
    }
    res.write('a');
    res.on('socket', () => report('socket', res));
    setTimeout(() => {
      report('later', res);
      res.uncork();
      report('uncork', res);
      res.end('z');
      report('end', res);
    }, 60);
  },
};
const names = Object.keys(handlers);

const server = http.createServer((req, res) => {
  if (req.url === '/first') setTimeout(() => res.end('first'), 20);
  else handlers[req.url.slice(1)](res);
});

function next() {
  const name = names.shift();
  if (!name) return server.close();
  console.log('--', name);
  const get = (path, connection) => `GET ${path} HTTP/1.1\r\nHost: h\r\nConnection: ${connection}\r\n\r\n`;
  const socket = net.connect(server.address().port, '127.0.0.1');
  socket.write((name === 'waiting' ? get('/first', 'keep-alive') : '') + get(`/${name}`, 'close'));
  let text = '';
  socket.setEncoding('latin1');
  socket.on('data', (data) => { text += data; });
  socket.on('error', () => {});
  socket.on('close', () => {
    console.log(JSON.stringify(text.split('\r\n\r\n').slice(1)));
    next();
  });
}
server.listen(0, '127.0.0.1', next);
