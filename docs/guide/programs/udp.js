// Sends datagrams to itself. Each is received as it was sent, also an empty one.
const dgram = require('dgram');

const socket = dgram.createSocket('udp4');
socket.on('message', (message, { address }) => {
  console.log(`from ${address}: ${message.length} bytes "${message}"`);
  if (message.length === 3) socket.close();
});
socket.bind(0, '127.0.0.1', () => {
  const { port } = socket.address();
  for (const text of ['hello', '', 'end']) socket.send(text, port, '127.0.0.1');
});
