// With captureRejections a rejected 'request' listener is answered with 500 and without its headers.
const http = require('http');
require('events').captureRejections = true;

const server = http.createServer(async (req, res) => {
  res.setHeader('X-Secret', 'a');
  if (req.url === '/sent') res.write('part');
  throw new Error('failed');
});
server.listen(0, () => {
  const get = (path, next) => http.get({ port: server.address().port, path, agent: false }, (res) => {
    let text = '';
    res.on('data', (data) => { text += data; }).on('error', (err) => console.log(err.code));
    res.on('close', () => {
      console.log(res.statusCode, res.headers['x-secret'], text);
      next();
    });
  }).on('error', (err) => {
    console.log('request', err.code);
    next();
  });
  get('/', () => get('/sent', () => server.close()));
});
