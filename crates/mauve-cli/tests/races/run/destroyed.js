// Close against data: the answer is expected before the connection is closed.
const net = require('net');
let answer = '';
const server = net.createServer((socket) => {
  socket.on('error', () => {});
  socket.on('data', () => socket.write('answer'));
});
server.listen(0, '127.0.0.1', () => {
  const client = net.connect(server.address().port, '127.0.0.1');
  client.on('error', () => {});
  client.write('question');
  client.on('data', (data) => { answer += data; });
  setTimeout(function giveUp() {
    client.destroy();
    server.close();
    process.exitCode = answer === 'answer' ? 0 : 3;
  }, 45);
});
