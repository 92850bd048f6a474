// Timer against I/O: the server is expected to have seen the client after 40 ms.
const net = require('net');
let seen = 0;
const server = net.createServer((socket) => { seen++; socket.end(); });
server.listen(0, '127.0.0.1', () => {
  net.connect(server.address().port, '127.0.0.1').resume();
  setTimeout(function check() {
    process.exitCode = seen === 1 ? 0 : 3;
    server.close();
  }, 40);
});
