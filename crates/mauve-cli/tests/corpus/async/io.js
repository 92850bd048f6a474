// AsyncLocalStorage through files, sockets, names and events.
const { AsyncLocalStorage } = require('async_hooks');
const fs = require('fs');
const net = require('net');
const dns = require('dns');
const storage = new AsyncLocalStorage();
const lines = [];
const say = (label) => lines.push(`${label}: ${storage.getStore()}`);
storage.run('file', () => {
  fs.readFile(__filename, () => { say('readFile'); fs.stat('/', () => say('stat in readFile')); });
  fs.promises.readFile(__filename).then(() => say('promise of a file'));
  (async () => { await fs.promises.stat('/'); say('await of a file'); const handle = await fs.promises.open(__filename); say('opened'); await handle.close(); say('closed'); })();
  fs.open(__filename, 'r', (err, fd) => { say('open'); fs.close(fd, () => say('close')); });
  fs.createReadStream(__filename).on('end', () => say('stream ended')).resume();
});
storage.run('name', () => dns.lookup('127.0.0.1', () => say('lookup')));
fs.readFile(__filename, () => say('outside'));
const server = net.createServer((socket) => { socket.end('bye'); });
server.listen(0, '127.0.0.1', () => {
  let open = 2;
  for (const id of ['client 1', 'client 2']) {
    storage.run(id, () => {
      const client = net.connect(server.address().port, '127.0.0.1', () => say(`${id} connected`));
      client.on('data', (data) => say(`${id} got ${data}`));
      client.on('close', () => { say(`${id} closed`); if (--open === 0) server.close(); });
    });
  }
});
process.on('exit', () => { for (const line of lines.sort()) console.log(line); });
