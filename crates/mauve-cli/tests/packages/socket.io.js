// socket.io: events, acknowledgements, rooms, namespaces and binary data, over polling and WebSocket.
const { Server } = require('socket.io');
const { io } = require('socket.io-client');
const http = require('http').createServer();
const server = new Server(http);
server.on('connection', (socket) => {
  socket.on('add', (a, b, reply) => reply(a + b));
  socket.on('binary', (data, reply) => reply(Buffer.concat([data, Buffer.from([9])])));
  socket.on('join', (room, reply) => { socket.join(room); server.to(room).emit('joined', room); reply([...socket.rooms].length); });
});
server.of('/admin').on('connection', (socket) => socket.emit('welcome', socket.nsp.name));
http.listen(0, async () => {
  const url = `http://127.0.0.1:${http.address().port}`;
  for (const transports of [['polling'], ['websocket'], ['polling', 'websocket']]) {
    const client = io(url, { transports, forceNew: true });
    await new Promise((resolve, reject) => client.on('connect', resolve).on('connect_error', reject));
    console.log('connected', transports.join());
    if (transports.length === 2) {
      const engine = client.io.engine;
      if (engine.transport.name !== 'websocket') await new Promise((resolve) => engine.on('upgrade', resolve));
      console.log('upgraded to', engine.transport.name);
    }
    console.log('sum', await client.emitWithAck('add', 20, 22));
    console.log('binary', await client.emitWithAck('binary', Buffer.from([1, 2])));
    const joined = new Promise((resolve) => client.on('joined', resolve));
    console.log('rooms', await client.emitWithAck('join', 'room'), await joined);
    client.disconnect();
  }
  const admin = io(`${url}/admin`, { forceNew: true });
  console.log('admin', await new Promise((resolve) => admin.on('welcome', resolve)));
  admin.disconnect();
  await server.close();
  console.log('closed');
});
