// How a response can end: a timeout, surplus bytes, an abort while data is buffered.
const http = require('http');
const net = require('net');

function timeout(next) {
  const server = http.createServer((req, res) => res.flushHeaders()).listen(0, () => {
    const req = http.get({ port: server.address().port }, (res) => {
      res.on('timeout', () => {
        console.log('response timeout');
        req.destroy();
      });
      res.on('error', (err) => console.log('response', err.code));
      res.setTimeout(1);
      server.close(next);
    });
    req.on('error', (err) => console.log('request', err.code));
  });
}

function surplus(next) {
  const reply = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello';
  const server = net.createServer((socket) => socket.on('error', () => {}).once('data', () => socket.end(reply + reply)));
  server.listen(0, () => {
    http.get({ port: server.address().port }, (res) => {
      res.setEncoding('utf8').on('data', (data) => console.log('data', data));
      res.on('end', () => {
        console.log('end');
        server.close(next);
      });
    });
  });
}

function abort(next) {
  const server = http.createServer((req, res) => {
    for (let i = 0; i < 100; i++) res.write(`x${i}`);
  });
  server.listen(0, () => {
    const req = http.get({ port: server.address().port }, (res) => {
      res.on('data', () => {
        if (req.aborted) console.log('data after abort');
        req.abort();
      });
      res.on('aborted', () => console.log('aborted')).on('error', (err) => console.log('response', err.code));
    });
    req.on('close', () => {
      console.log('close', req.destroyed);
      server.close(next);
    });
  });
}

timeout(() => surplus(() => abort(() => console.log('done'))));
