// The errors of a client.
const http = require('http');
const net = require('net');

function watch(name, req) {
  return new Promise((resolve) => {
    for (const event of ['abort', 'timeout', 'response', 'continue', 'finish']) {
      req.on(event, () => console.log(name, event));
    }
    req.on('error', (err) => console.log(name, 'error', err.code, err.message.replace(/:\d+/, ':PORT')));
    req.on('close', () => {
      console.log(name, 'close', req.destroyed, req.aborted, req.errored === null || req.errored === undefined);
      setTimeout(resolve, 10);
    });
  });
}

const server = net.createServer((socket) => {
  socket.on('error', () => {});
  socket.once('data', (data) => {
    const path = String(data).split(' ')[1];
    if (path === '/hangup') socket.end();
    else if (path === '/destroy') socket.destroy();
    else if (path === '/half') socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc');
    else if (path === '/chunk') socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab');
    else if (path === '/garbage') socket.end('garbage\r\n\r\n');
    else if (path === '/until-end') socket.end('HTTP/1.1 200 OK\r\n\r\nall of this');
  });
});
server.listen(0, '127.0.0.1', async () => {
  const { port } = server.address();
  const get = (path, more) => http.get({ port, host: '127.0.0.1', path, agent: false, ...more });
  await watch('hangup', get('/hangup'));
  await watch('destroy', get('/destroy'));
  await watch('garbage', get('/garbage'));
  for (const path of ['/half', '/chunk', '/until-end']) {
    const req = get(path);
    req.on('response', (res) => {
      res.on('data', (data) => console.log(path, 'data', String(data)));
      res.on('end', () => console.log(path, 'end'));
      res.on('aborted', () => console.log(path, 'aborted'));
      res.on('error', (err) => console.log(path, 'response error', err.code, err.message));
      res.on('close', () => console.log(path, 'response close', res.complete, res.aborted));
    });
    await watch(path, req);
  }
  let req = get('/never');
  let done = watch('timeout', req);
  req.setTimeout(20, () => req.destroy());
  await done;
  req = get('/never', { timeout: 20 });
  done = watch('timeout option', req);
  req.on('timeout', () => req.destroy(new Error('too slow')));
  await done;
  req = get('/never');
  done = watch('aborted', req);
  setTimeout(() => req.abort(), 10);
  await done;
  req = get('/never');
  done = watch('aborted at once', req);
  req.abort();
  await done;
  req = get('/never');
  done = watch('destroyed at once', req);
  req.destroy();
  await done;
  const controller = new AbortController();
  req = get('/never', { signal: controller.signal });
  done = watch('signal', req);
  setTimeout(() => controller.abort(), 10);
  await done;
  server.close();
  await watch('refused', http.get({ port: 1, host: '127.0.0.1', agent: false }));
  console.log('done');
});
