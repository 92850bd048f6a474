// Koa: the stack of middleware, its contexts, errors and streamed bodies.
const Koa = require('koa');
const { Readable } = require('stream');
const app = new Koa({ keys: ['one', 'two'] });
app.use(async (context, next) => {
  await next();
  console.log('after', context.method, context.url, context.status);
  context.set('X-Seen', String(context.respond !== false));
});
app.use(async (context, next) => {
  try { await next(); } catch (error) { context.status = error.status ?? 500; context.body = { message: error.message, expose: error.expose }; }
});
app.use(async (context) => {
  switch (context.path) {
    case '/text': context.body = 'text'; break;
    case '/json': context.body = { query: context.query, ip: context.ip.replace('::ffff:', ''), type: context.is('json') }; break;
    case '/stream': context.body = Readable.from(['one ', 'two ', 'three']); context.type = 'txt'; break;
    case '/cookie': context.cookies.set('name', 'value', { signed: true }); context.body = context.cookies.get('name') ?? 'none'; break;
    case '/buffer': context.body = Buffer.from([1, 2, 3]); break;
    case '/throw': context.throw(403, 'not you'); break;
    case '/assert': context.assert(false, 401, 'who'); break;
    case '/redirect': context.redirect('/text'); break;
    case '/empty': context.body = null; break;
  }
});
app.on('error', (error) => console.log('error event', error.message));
const server = app.listen(0, async () => {
  const { port } = server.address();
  for (const path of ['/text', '/json?a=1&b=2', '/stream', '/cookie', '/buffer', '/throw', '/assert', '/redirect', '/empty', '/none']) {
    const response = await new Promise((resolve) => require('http').get({ port, path }, resolve));
    const chunks = [];
    for await (const chunk of response) chunks.push(chunk);
    const { 'set-cookie': cookies, location, 'content-type': type, 'x-seen': seen } = response.headers;
    console.log(path, response.statusCode, type, location, cookies, seen, Buffer.concat(chunks).toString());
  }
  server.close();
});
