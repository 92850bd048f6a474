// close() before the address of listen() is known.
const net = require('net');

const server = net.createServer();
server.on('listening', () => console.log('listening')).on('error', (err) => console.log(err.code));
server.listen(0, 'localhost').close((err) => console.log('closed', err?.code));
