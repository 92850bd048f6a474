// Requests that share a socket have stores of their own, and disable() removes the store everywhere.
const { AsyncLocalStorage } = require('async_hooks');
const http = require('http');

const storage = new AsyncLocalStorage();
const agent = new http.Agent({ maxSockets: 1, keepAlive: true });
const server = http.createServer((req, res) => res.end('ok'));
let left = 3;
server.listen(0, () => {
  const { port } = server.address();
  for (let i = 0; i < 3; i++) {
    storage.run(i, () => {
      const request = http.get({ agent, port }, (res) => {
        console.log('response', i, storage.getStore());
        res.on('end', () => {
          console.log('end', i, storage.getStore());
          if (--left > 0) return;
          server.close();
          agent.destroy();
        });
        res.resume();
      });
      request.on('socket', () => console.log('socket', i, storage.getStore()));
    });
  }
});

const other = new AsyncLocalStorage();
other.run('store', () => {
  process.nextTick(() => console.log('tick', other.getStore()));
  setImmediate(() => {
    console.log('immediate', other.getStore());
    other.run('again', () => console.log(other.getStore()));
  });
  other.disable();
  console.log(other.getStore());
});
