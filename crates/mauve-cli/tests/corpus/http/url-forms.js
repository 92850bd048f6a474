const http = require('http');

const server = http.createServer((req, res) => {
  console.log(req.method, req.url, req.headers.authorization, req.headers.host === `127.0.0.1:${server.address().port}`);
  res.end('x');
});
server.listen(0, '127.0.0.1', async () => {
  const base = `http://127.0.0.1:${server.address().port}`;
  const run = (...args) => new Promise((resolve) => {
    const req = http.get(...args, (res) => { res.resume(); res.on('end', resolve); });
    req.on('error', (err) => { console.log(err.code); resolve(); });
  });
  await run(`${base}/text?q=1#hash`);
  await run(new URL(`${base}/url`));
  await run(`${base}/options`, { headers: { Authorization: 'x' } });
  await run(base.replace('//', '//user:pass%20word@'));
  await run(base, { method: 'PUT', path: '/other' });
  await run({ host: '127.0.0.1', port: String(server.address().port), path: '/string-port', auth: 'a:b' });
  http.globalAgent.destroy();
  server.close();
});
