// A response that ends before its request is read: the body is discarded, unless reading has been requested.
const http = require('http');
const net = require('net');

const ends = {
  'nothing': [],
  'text': ['bye'],
  'a buffer': [Buffer.from('BB')],
  'a callback': [() => console.log('end callback')],
};
const waits = {
  'at once': (then) => then(),
  'in a tick': (then) => process.nextTick(then),
  'in a microtask': (then) => Promise.resolve().then(then),
  'in an immediate': (then) => setImmediate(then),
};
const readers = {
  data: (req) => req.on('data', (chunk) => console.log('data', chunk.length)),
  resume: (req) => req.resume(),
  none: () => {},
};
const cases = [];
for (const end in ends) {
  for (const wait in waits) {
    for (const later in waits) for (const reader in readers) cases.push({ end, wait, later, reader });
  }
}

let current;
const server = http.createServer((req, res) => {
  const { end, wait, later, reader } = current;
  waits[wait](() => {
    res.end(...ends[end]);
    // Without listeners of the response there are fewer steps.
    if (end !== 'nothing') res.on('finish', () => console.log('finish', req.listenerCount('data')));
    waits[later](() => {
      readers[reader](req);
      req.on('end', () => console.log('end'));
      req.on('close', () => console.log('close'));
    });
  });
});

function next() {
  current = cases.shift();
  if (!current) return server.close();
  console.log('--', Object.values(current).join(', '));
  const socket = net.connect(server.address().port, '127.0.0.1');
  const body = 'x'.repeat(2000);
  socket.write(`PUT / HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  socket.resume();
  socket.on('close', () => setImmediate(next));
}
server.listen(0, '127.0.0.1', next);
