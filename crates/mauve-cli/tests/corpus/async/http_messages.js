// The resources of HTTP connections and requests in async_hooks, and the stores of their callbacks.
const { AsyncLocalStorage, createHook, executionAsyncId, executionAsyncResource } = require('async_hooks');
const http = require('http');
const names = new Map();
const counts = {};
const storage = new AsyncLocalStorage();
const log = [];
const note = (...words) => log.push(words.join(' '));
const where = () => `${names.get(executionAsyncId()) ?? 'elsewhere'} ${storage.getStore()}`;
createHook({
  init(id, type, trigger, resource) {
    if (!type.startsWith('HTTP')) return;
    counts[type] = (counts[type] ?? 0) + 1;
    names.set(id, `${type} ${counts[type]}`);
    note('init', names.get(id), resource.constructor.name, resource.type, Object.keys(resource).at(-1));
  },
  destroy(id) {
    if (names.has(id)) note('destroy', names.get(id));
  },
}).enable();

let requests = 0;
const server = http.createServer((req, res) => {
  note('request', where(), executionAsyncResource().socket === req.socket);
  if (++requests < 3) storage.enterWith(`entered ${requests}`);
  req.on('data', () => note('data', where()));
  req.on('end', () => {
    note('end', where());
    res.end('answer');
  });
  res.on('finish', () => note('finish', where()));
});

function request(agent, name, method) {
  return new Promise((resolve) => {
    storage.run(name, () => {
      const req = http.request({ agent, method, port: server.address().port }, (res) => {
        note('response', where(), executionAsyncResource().req === req);
        storage.enterWith('changed');
        res.on('data', () => note('response data', where()));
        res.on('end', () => {
          note('response end', where());
          setImmediate(resolve);
        });
      });
      req.on('socket', () => note('socket', where()));
      req.end(method === 'POST' ? 'body' : undefined);
    });
  });
}

storage.run('outer', () => server.listen(0, async () => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  for (const [name, method] of [['one', 'GET'], ['two', 'POST'], ['three', 'GET'], ['four', 'POST']]) {
    await request(agent, name, method);
  }
  agent.destroy();
  server.close(() => setImmediate(() => setImmediate(() => console.log(log.join('\n')))));
}));
