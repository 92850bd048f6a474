// process.getActiveResourcesInfo: timers, files, servers and sockets.
const fs = require('fs');
const net = require('net');
const lines = [];
const show = (label) => lines.push(`${label}: ${process.getActiveResourcesInfo().sort().join(' ')}`);
process.on('exit', () => console.log(lines.join('\n')));
show('start');
const timer = setTimeout(() => {}, 1000);
setInterval(() => {}, 1000).unref();
setImmediate(() => {});
show('timers');
clearTimeout(timer);
show('cleared');
setImmediate(() => {
  show('in immediate');
  fs.stat('/', () => setImmediate(() => {
    const server = net.createServer((socket) => socket.end());
    server.listen(0, '127.0.0.1', () => {
      show('listening');
      const client = net.connect(server.address().port, '127.0.0.1');
      client.resume().on('close', () => server.close());
    });
  }));
  show('file');
});
