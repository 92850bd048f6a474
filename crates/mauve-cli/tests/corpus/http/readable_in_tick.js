// A listener of 'readable' that is added to a request without a body, before and after it is complete.
'use strict';
const http = require('http');

const job = (action) => Promise.resolve().then(action);
const MODES = {
  tick: (add) => process.nextTick(add),
  secondTick: (add) => [() => {}, add].forEach((action) => process.nextTick(action)),
  nestedTick: (add) => process.nextTick(() => process.nextTick(add)),
  tickThenImmediate: (add) => [process.nextTick(() => {}), setImmediate(add)],
  immediate: (add) => setImmediate(add),
  job,
  jobInTick: (add) => process.nextTick(() => job(add)),
  tickInJob: (add) => job(() => process.nextTick(add)),
};

const server = http.createServer((request, response) => {
  const mode = request.url.slice(1);
  MODES[mode](() => {
    request.on('readable', () => console.log(mode, 'readable', request.read()));
    request.on('end', () => {
      console.log(mode, 'end');
      response.end('ok');
    });
  });
});

server.listen(0, '127.0.0.1', async () => {
  for (const mode in MODES) {
    for (const method of ['GET', 'POST']) {
      const options = { port: server.address().port, host: '127.0.0.1', path: `/${mode}`, method, agent: false };
      await new Promise((done) => http.request(options, (response) => response.resume().on('end', done)).end());
    }
  }
  server.close();
});
