const dgram = require('dgram');
function between(name) {
  process.nextTick(() => console.log(name, '- tick'));
  Promise.resolve().then(() => console.log(name, '- promise'));
  setImmediate(() => console.log(name, '- immediate'));
}
const socket = dgram.createSocket('udp4');
socket.on('listening', () => { console.log('listening'); between('listening'); });
socket.on('message', (message) => { console.log('message', String(message)); between('message'); });
socket.on('close', () => { console.log('close'); between('close'); });
socket.bind(0, '127.0.0.1');
console.log('called');
between('called');
socket.once('listening', () => setImmediate(() => setImmediate(() => {
  socket.send('to myself', socket.address().port, '127.0.0.1', (err, n) => { console.log('sent', n); between('sent'); });
  console.log('send called');
})));
socket.once('message', () => setTimeout(() => socket.close(), 10));
