const http = require('http');

// An end with the wrong length writes nothing, so the next one may be right.
function endTwice(res) {
  res.write('1');
  try {
    res.end('234');
  } catch (err) {
    console.log(err.code, err.message, res.writableLength, res.writableCorked);
  }
  res.end('2345');
}

const server = http.createServer((req, res) => {
  res.strictContentLength = true;
  res.setHeader('Content-Length', 5);
  try {
    if (req.url === '/more') res.write('123456');
    else if (req.url === '/less') res.end('123');
    else if (req.url === '/again') endTwice(res);
    else res.end('12345');
  } catch (err) {
    console.log(err.code, err.message);
    res.destroy();
  }
});
server.listen(0, '127.0.0.1', async () => {
  for (const path of ['/more', '/less', '/again', '/right']) {
    await new Promise((resolve) => {
      const req = http.get({ port: server.address().port, host: '127.0.0.1', path, agent: false }, (res) => {
        res.resume();
        res.on('end', () => { console.log(path, 'end'); resolve(); });
      });
      req.on('error', (err) => { console.log(path, err.code); resolve(); });
    });
  }
  server.close();
});
