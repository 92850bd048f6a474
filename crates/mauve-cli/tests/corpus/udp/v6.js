const dgram = require('dgram');
const socket = dgram.createSocket('udp6');
socket.on('message', (message, { address, family, size }) => {
  console.log(String(message), address, family, size);
  socket.close();
});
socket.bind({ address: '::1' }, () => {
  console.log(socket.address().address, socket.address().family);
  socket.send('sixth', socket.address().port, '::1');
});
