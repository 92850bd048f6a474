// A handler that throws: 'uncaughtException' is emitted, and the server continues.
const http = require('http');

process.on('uncaughtException', (err) => console.log('uncaught', err.message));
process.on('unhandledRejection', (err) => console.log('unhandled', err.message));
const server = http.createServer((req, res) => {
  if (req.url === '/throw') throw new Error('thrown');
  if (req.url === '/later') setTimeout(() => { throw new Error('later'); }, 1);
  if (req.url === '/reject') return Promise.reject(new Error('rejected'));
  if (req.url === '/ok') res.end('ok');
  return undefined;
});
function get(path) {
  return new Promise((resolve) => {
    const req = http.get({ port: server.address().port, host: '127.0.0.1', path, agent: false, timeout: 50 });
    req.on('response', (res) => {
      res.resume();
      res.on('end', () => { console.log(path, res.statusCode); resolve(); });
    });
    req.on('timeout', () => req.destroy());
    req.on('error', (err) => { console.log(path, err.code); resolve(); });
  });
}
server.listen(0, '127.0.0.1', async () => {
  for (const path of ['/throw', '/ok', '/later', '/reject', '/ok']) await get(path);
  server.closeAllConnections();
  server.close(() => console.log('closed'));
});
