// Trailers and many fields are reported by themselves, which drains the queues: ticks of a pipelined request
// run before the next one. From then on, every head of the connection is preceded by a drain.
const http = require('http');
const net = require('net');

const fields = (count) => Array.from({ length: count }, (_, i) => `X-${i}: ${i}\r\n`).join('');
const get = (count = 0) => `GET / HTTP/1.1\r\nHost: h\r\n${fields(count)}\r\n`;
const chunked = (chunks, trailers) =>
  `POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}0\r\n${trailers}\r\n`;
const CHUNK = '3\r\nabc\r\n';
const TRAILERS = 'X-T: 1\r\n';

const connections = {
  'trailers': [get(), get(), chunked('', TRAILERS), get(), get(), get()],
  'a body and trailers': [chunked(CHUNK, TRAILERS), chunked(CHUNK, ''), chunked('', ''), get()],
  'no trailers': [chunked('', ''), chunked(CHUNK, ''), chunked('', '')],
  '31 fields': [get(30), get(), get()],
  '32 fields': [get(), get(31), get(), get()],
  '64 fields': [get(63), get(), get()],
};
const names = Object.keys(connections);

let count;
const server = http.createServer((req, res) => {
  const id = count++;
  const counts = () => [req.rawHeaders, req.rawTrailers, Object.keys(req.trailers)].map((list) => list.length);
  const state = () => `${req.complete} ${counts()}`;
  console.log('request', id, state());
  process.nextTick(() => console.log('tick', id, state()));
  Promise.resolve().then(() => console.log('microtask', id, state()));
  req.on('end', () => {
    console.log('end', id, state());
    setImmediate(() => res.end('x'));
  });
  req.resume();
});

function next() {
  const name = names.shift();
  if (!name) return server.close();
  console.log('--', name);
  count = 0;
  const requests = connections[name];
  const socket = net.connect(server.address().port, '127.0.0.1');
  socket.write(requests.join(''));
  let text = '';
  socket.on('data', (data) => {
    text += data;
    if (text.split('HTTP/1.1 200').length > requests.length) socket.destroy();
  });
  socket.on('close', next);
}
server.listen(0, '127.0.0.1', next);
