// An echo with pipe(), of more data than the buffers hold.
const http = require('http');
const { pipeline, Readable } = require('stream');

const SIZE = 3 * 1024 * 1024;
const server = http.createServer((req, res) => {
  pipeline(req, res, (err) => console.log('pipeline', err ? err.code : 'ok'));
});
server.listen(0, '127.0.0.1', () => {
  const req = http.request({ port: server.address().port, host: '127.0.0.1', method: 'POST' }, async (res) => {
    let size = 0;
    for await (const chunk of res) size += chunk.length;
    console.log('echoed', size === SIZE, res.headers['transfer-encoding']);
    server.close(() => console.log('closed'));
  });
  let left = SIZE;
  const source = new Readable({
    read() {
      if (left === 0) this.push(null);
      else {
        left -= 65536;
        this.push(Buffer.alloc(65536, left & 255));
      }
    },
  });
  source.pipe(req);
});
