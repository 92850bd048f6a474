// Bodies of many sizes that a server pipes back, to clients that read at once, late, or never.
const http = require('http');
const net = require('net');

// Pseudo-random numbers, the same in every run.
let seed = 7;
const random = (limit) => {
  seed = (seed * 1103515245 + 12345) % 2 ** 31;
  return seed % limit;
};
// Apart, because the two ends of a connection close in any order.
const log = [];
const clientLog = [];

const server = http.createServer((req, res) => {
  const { url } = req;
  if (url.includes('length')) res.setHeader('Content-Length', req.headers['content-length']);
  if (url.includes('listener')) req.on('data', () => {});
  if (url.includes('first')) res.write('first ');
  res.on('finish', () => log.push(`${url} finish ${req.complete}`));
  res.on('close', () => log.push(`${url} close ${res.writableFinished}`));
  req.pipe(res);
});

// Sends the body in parts of random sizes, and reads the response after `delay` milliseconds.
function exchange(url, size, { chunked = false, delay = 0, dies = false } = {}) {
  const body = Buffer.alloc(size, 'abcdefghijklmnopqrstuvwxyz-');
  return new Promise((resolve) => {
    const options = { agent: false, headers: chunked ? {} : { 'Content-Length': size }, method: 'POST', path: url };
    const req = http.request({ ...options, port: server.address().port }, (res) => {
      if (dies) {
        res.once('data', () => req.destroy());
        res.on('error', () => {});
        return;
      }
      const parts = [];
      res.pause();
      setTimeout(() => res.resume(), delay);
      res.on('data', (part) => parts.push(part));
      res.on('end', () => {
        const received = Buffer.concat(parts);
        const prefix = url.includes('first') ? 'first ' : '';
        const isSame = received.equals(Buffer.concat([Buffer.from(prefix), body]));
        const { 'content-length': length, 'transfer-encoding': encoding } = res.headers;
        clientLog.push(`${url} response ${received.length} ${isSame} ${length} ${encoding}`);
        setTimeout(resolve, 5);
      });
    });
    req.on('error', (err) => clientLog.push(`${url} error ${err.code}`));
    if (dies) req.on('close', () => setTimeout(resolve, 50));
    let at = 0;
    const send = () => {
      while (at < size) {
        const end = Math.min(size, at + 1 + random(random(2) ? 100 : 200_000));
        const hasRoom = req.write(body.subarray(at, end));
        at = end;
        if (!hasRoom) return void req.once('drain', send);
        if (random(4) === 0) return void setImmediate(send);
      }
      req.end();
    };
    send();
  });
}

// A client that never reads: nothing is lost while both buffers are full, and the server closes.
function neverReads() {
  return new Promise((resolve) => {
    const socket = net.connect(server.address().port);
    socket.write('POST /never HTTP/1.1\r\nHost: a\r\nContent-Length: 50000000\r\n\r\n');
    socket.write(Buffer.alloc(8_000_000));
    setTimeout(() => socket.destroy(), 100);
    socket.on('close', () => setTimeout(resolve, 50));
  });
}

server.listen(0, async () => {
  for (const size of [0, 1, 1000, 16_383, 16_384, 65_536, 300_000, 5_000_000]) {
    await exchange('/plain', size);
    await exchange('/length', size, { delay: 10 });
    await exchange('/chunked', size, { chunked: true });
    await exchange('/chunked-listener', size, { chunked: true, delay: 10 });
    await exchange('/first', size, { delay: 5 });
  }
  await Promise.all([1, 2, 3, 4].map((n) => exchange(`/parallel-${n}`, 400_000 * n, { chunked: n % 2 === 0, delay: 20 * (5 - n) })));
  log.push(...log.splice(-8).sort());
  clientLog.push(...clientLog.splice(-4).sort());
  await exchange('/dies', 20_000_000, { dies: true });
  await neverReads();
  server.close(() => console.log([...log, ...clientLog].join('\n')));
});
