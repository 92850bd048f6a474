// Express with the middleware that most programs use: logs, cookies, sessions, security headers, CORS, uploads.
const express = require('express');
const morgan = require('morgan');
const cookieParser = require('cookie-parser');
const session = require('express-session');
const helmet = require('helmet');
const cors = require('cors');
const multer = require('multer');

const app = express();
app.use(morgan(':method :url :status :res[content-length] :req[cookie]', { stream: { write: (line) => console.log('log', line.trim().replace(/s%3A[^;]*/g, 'SIGNED')) } }));
app.use(helmet());
app.use(cors({ origin: 'http://example.test', credentials: true }));
app.use(cookieParser('secret'));
app.use(session({ secret: 'keyboard cat', resave: false, saveUninitialized: false }));
app.use(express.json());
app.use(express.urlencoded({ extended: true }));
app.use('/static', express.static(__dirname, { maxAge: 1000 }));

app.get('/', (request, response) => response.send('hello'));
app.get('/users/:id', (request, response) => response.json({ id: request.params.id, query: request.query }));
app.get('/cookie', (request, response) => response.cookie('plain', 'a b').cookie('signed', 'value', { signed: true, httpOnly: true }).send('set'));
app.get('/cookies', (request, response) => response.json({ plain: request.cookies, signed: request.signedCookies }));
app.get('/count', (request, response) => {
  request.session.count = (request.session.count ?? 0) + 1;
  response.json({ count: request.session.count });
});
app.post('/echo', (request, response) => response.status(201).json(request.body));
app.post('/upload', multer({ storage: multer.memoryStorage() }).array('files'), (request, response) => {
  const files = request.files.map(({ fieldname, originalname, mimetype, size, buffer }) => ({ fieldname, originalname, mimetype, size, text: buffer.toString() }));
  response.json({ body: request.body, files });
});
app.get('/redirect', (request, response) => response.redirect('/users/7?a=1'));
app.get('/fail', () => { throw new Error('on purpose'); });
app.get('/async', async () => { throw Object.assign(new Error('rejected'), { status: 418 }); });
app.use((request, response) => response.status(404).type('text').send(`no ${request.path}`));
app.use((error, request, response, next) => response.status(error.status ?? 500).json({ error: error.message }));

const jar = new Map();
function call(port, method, path, { headers = {}, body } = {}) {
  return new Promise((resolve, reject) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const request = require('http').request({ port, method, path, headers: cookie ? { ...headers, cookie } : headers });
    request.on('error', reject).on('response', async (response) => {
      let text = '';
      for await (const chunk of response.setEncoding('utf8')) text += chunk;
      for (const line of response.headers['set-cookie'] ?? []) {
        const [name, value] = line.split(';')[0].split('=');
        jar.set(name, value);
      }
      console.log(method, path, response.statusCode, text.length > 500 ? text.length : text);
      resolve(response);
    }).end(body);
  });
}

const server = app.listen(0, async () => {
  const { port } = server.address();
  const { headers } = await call(port, 'GET', '/');
  for (const name of Object.keys(headers).filter((name) => name !== 'date').sort()) console.log(' ', name, headers[name]);
  const etag = headers.etag;
  await call(port, 'GET', '/', { headers: { 'if-none-match': etag } });
  await call(port, 'GET', '/users/42?name=a%20b&list[]=1&list[]=2');
  await call(port, 'HEAD', '/users/42');
  await call(port, 'GET', '/cookie');
  await call(port, 'GET', '/cookies');
  await call(port, 'GET', '/count');
  await call(port, 'GET', '/count');
  await call(port, 'POST', '/echo', { headers: { 'content-type': 'application/json' }, body: '{"a":[1,2,{"b":null}]}' });
  await call(port, 'POST', '/echo', { headers: { 'content-type': 'application/json' }, body: '{"a":' });
  await call(port, 'POST', '/echo', { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'a=1&b=2&b=3' });
  const part = (head, text) => `--edge\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`;
  const body = part('name="title"', 'two files') + part('name="files"; filename="a.txt"\r\nContent-Type: text/plain', 'first') + part('name="files"; filename="b.bin"', 'second') + '--edge--\r\n';
  await call(port, 'POST', '/upload', { headers: { 'content-type': 'multipart/form-data; boundary=edge' }, body });
  const file = await call(port, 'GET', '/static/express.js', { headers: { range: 'bytes=0-9' } });
  console.log(file.headers['content-type'], file.headers['content-range'], file.headers['cache-control']);
  await call(port, 'GET', '/static/none.js');
  await call(port, 'GET', '/redirect');
  await call(port, 'GET', '/fail');
  await call(port, 'GET', '/async');
  await call(port, 'OPTIONS', '/users/1', { headers: { origin: 'http://example.test', 'access-control-request-method': 'PUT' } });
  await call(port, 'DELETE', '/nowhere');
  server.close(() => console.log('closed'));
});
