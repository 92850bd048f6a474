// Fastify: schemas, hooks, plugins, errors and injected requests.
const fastify = require('fastify')({ logger: false });
fastify.addHook('onRequest', async (request) => { request.began = true; });
fastify.addHook('onSend', async (request, reply, payload) => { reply.header('x-hook', String(request.began)); return payload; });
fastify.decorate('answer', 42);
fastify.register(async (scope) => {
  scope.decorateRequest('user', null);
  scope.addHook('preHandler', async (request) => { request.user = request.headers['x-user'] ?? 'nobody'; });
  scope.get('/me', async (request) => ({ user: request.user, answer: scope.answer }));
}, { prefix: '/api' });
fastify.get('/items/:id', { schema: { params: { type: 'object', properties: { id: { type: 'integer' } } }, response: { 200: { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } } } } },
  async (request) => ({ id: request.params.id, name: 'thing', secret: 'dropped' }));
fastify.post('/items', { schema: { body: { type: 'object', required: ['name'], properties: { name: { type: 'string', minLength: 2 }, count: { type: 'integer', default: 1 } } } } },
  async (request, reply) => reply.code(201).send(request.body));
fastify.get('/fail', async () => { throw new Error('broken'); });
fastify.get('/stream', (request, reply) => reply.type('text/plain').send(require('stream').Readable.from(['a', 'b', 'c'])));
(async () => {
  const address = await fastify.listen({ port: 0, host: '127.0.0.1' });
  const show = async (path, options) => {
    const response = await fastify.inject({ url: path, ...options });
    console.log(path, response.statusCode, response.headers['content-type'], response.headers['x-hook'], response.body);
  };
  await show('/items/7');
  await show('/items/seven');
  await show('/items', { method: 'POST', payload: { name: 'new' } });
  await show('/items', { method: 'POST', payload: { name: 'x' } });
  await show('/items', { method: 'POST', payload: '{', headers: { 'content-type': 'application/json' } });
  await show('/api/me', { headers: { 'x-user': 'me' } });
  await show('/fail');
  await show('/none');
  const get = (path) => new Promise((resolve) => require('http').get(address + path, async (response) => {
    let text = '';
    for await (const chunk of response) text += chunk;
    console.log('over a socket', path, response.statusCode, text);
    resolve();
  }));
  await get('/items/8');
  await get('/stream');
  await fastify.close();
  console.log('closed');
})();
