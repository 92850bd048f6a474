// A response larger than the socket buffer: write() returns false, and 'drain' follows.
const http = require('http');

const server = http.createServer((req, res) => {
  let left = 64;
  let refused = 0;
  let drains = 0;
  const chunk = Buffer.alloc(65536, 'a');
  const more = () => {
    while (left > 0) {
      left--;
      if (!res.write(chunk)) { refused++; return; }
    }
    res.end(() => console.log('ended', refused > 0, refused === drains || refused === drains + 1));
  };
  res.on('drain', () => { drains++; more(); });
  more();
});
server.listen(0, '127.0.0.1', () => {
  http.get({ port: server.address().port, host: '127.0.0.1', agent: false }, (res) => {
    let size = 0;
    res.on('data', (data) => {
      size += data.length;
      res.pause();
      setTimeout(() => res.resume(), 1);
    });
    res.on('end', () => { console.log(size); server.close(() => console.log('closed')); });
  });
});
