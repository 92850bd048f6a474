// axios: bodies, redirects, compression, errors, interceptors and timeouts.
const axios = require('axios');
const zlib = require('zlib');
const server = require('http').createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  switch (request.url.split('?')[0]) {
    case '/json': response.setHeader('content-type', 'application/json').end(JSON.stringify({ method: request.method, url: request.url, type: request.headers['content-type'], extra: request.headers['x-extra'], body })); break;
    case '/gzip': response.setHeader('content-encoding', 'gzip').end(zlib.gzipSync('compressed')); break;
    case '/brotli': response.setHeader('content-encoding', 'br').end(zlib.brotliCompressSync('brotli')); break;
    case '/redirect': response.writeHead(302, { location: '/json?redirected' }).end(); break;
    case '/hang': break;
    case '/form': response.end(body.replace(/--axios[\w.-]*/g, 'EDGE')); break;
    default: response.writeHead(404).end('nope');
  }
});
server.listen(0, async () => {
  const client = axios.create({ baseURL: `http://127.0.0.1:${server.address().port}`, headers: { 'X-Extra': 'yes' } });
  client.interceptors.request.use((config) => { config.params = { ...config.params, added: 1 }; return config; });
  client.interceptors.response.use((response) => { response.seen = true; return response; });
  console.log((await client.get('/json', { params: { a: [1, 2], b: 'c d' } })).data);
  console.log((await client.post('/json', { a: 1 })).data);
  console.log((await client.put('/json', new URLSearchParams({ q: 'x y' }))).data);
  console.log((await client.get('/gzip')).data, (await client.get('/brotli')).data);
  console.log((await client.get('/redirect')).data.url);
  console.log((await client.get('/json', { responseType: 'arraybuffer' })).data.length > 50);
  const stream = (await client.get('/gzip', { responseType: 'stream' })).data;
  let text = '';
  for await (const chunk of stream) text += chunk;
  console.log(text);
  const form = new FormData();
  form.append('field', 'text');
  form.append('file', new Blob(['contents'], { type: 'text/plain' }), 'name.txt');
  console.log((await client.post('/form', form)).data);
  await client.get('/missing').catch((error) => console.log(error.name, error.code, error.message, error.response.status, error.response.data));
  await client.get('/hang', { timeout: 50 }).catch((error) => console.log(error.code, error.message));
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 20);
  await client.get('/hang', { signal: controller.signal }).catch((error) => console.log(axios.isCancel(error), error.code, error.message));
  await axios.get('http://127.0.0.1:1/').catch((error) => console.log(error.code, error.message));
  server.close();
  server.closeAllConnections();
});
