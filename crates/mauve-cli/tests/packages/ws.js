// ws: a server and its client, text and binary, compression, pings, close codes.
const { WebSocketServer, WebSocket } = require('ws');
const server = new WebSocketServer({ port: 0, perMessageDeflate: { threshold: 10 } }, () => {
  const client = new WebSocket(`ws://127.0.0.1:${server.address().port}/path?x=1`);
  let received = 0;
  client.on('open', () => {
    console.log('open', client.extensions, client.readyState);
    client.send('short');
    client.send('long text '.repeat(5000));
    client.send(Buffer.from([0, 1, 2, 255]));
    client.ping('are you there');
  });
  client.on('pong', (data) => console.log('pong', String(data)));
  client.on('message', (data, binary) => {
    console.log('client got', binary, data.length, data.length < 20 ? data : '');
    if (++received === 3) client.close(4001, 'enough');
  });
  client.on('close', (code, reason) => console.log('client closed', code, String(reason)));
});
server.on('connection', (socket, request) => {
  console.log('connection', request.url, request.headers.upgrade);
  socket.on('message', (data, binary) => socket.send(data, { binary }));
  socket.on('ping', (data) => console.log('ping', String(data)));
  socket.on('close', (code, reason) => { console.log('server closed', code, String(reason)); server.close(() => console.log('done')); });
});
