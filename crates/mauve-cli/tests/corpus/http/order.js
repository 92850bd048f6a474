// The order of the events of client and server.
const http = require('http');
const log = (...args) => console.log(...args);

const server = http.createServer((req, res) => {
  log('server request');
  process.nextTick(() => log('server tick'));
  Promise.resolve().then(() => log('server promise'));
  setImmediate(() => log('server immediate'));
  for (const event of ['data', 'end', 'close', 'aborted', 'error']) req.on(event, () => log('server req', event));
  for (const event of ['prefinish', 'finish', 'close', 'drain', 'error', 'pipe']) res.on(event, () => log('server res', event));
  req.on('end', () => {
    res.write('part', () => log('server written'));
    res.end('end', () => log('server end callback'));
    log('server ended', res.writableEnded, res.writableFinished);
  });
});
server.on('connection', () => log('server connection'));
server.on('close', () => log('server close'));
server.listen(0, '127.0.0.1', () => {
  const req = http.request({ port: server.address().port, host: '127.0.0.1', method: 'POST', agent: false });
  for (const event of ['socket', 'prefinish', 'finish', 'response', 'close', 'error', 'abort']) {
    req.on(event, () => log('client req', event));
  }
  req.on('response', (res) => {
    for (const event of ['end', 'close', 'error', 'aborted']) res.on(event, () => log('client res', event));
    res.on('data', (data) => log('client data', String(data)));
    res.on('close', () => server.close());
  });
  req.end('body', () => log('client end callback'));
  log('called', req.writableEnded, req.finished);
});
