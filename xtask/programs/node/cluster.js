// cluster: two workers share a port, with both scheduling policies
'use strict';
const cluster = require('cluster');
const http = require('http');
const { once } = require('events');
const { assert, main, assertLibrary } = require('./lib/check');

function get(port) {
  return new Promise((resolve, reject) => {
    http.get({ port, host: '127.0.0.1', agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part) => { text += part; });
      response.on('end', () => resolve(text));
    }).on('error', reject);
  });
}

async function primary() {
  for (const policy of [cluster.SCHED_RR, cluster.SCHED_NONE]) {
    cluster.schedulingPolicy = policy;
    const workers = [cluster.fork(), cluster.fork()];
    const bound = await Promise.all(workers.map((worker) => once(worker, 'listening')));
    const ports = new Set(bound.map(([address]) => address.port));
    assert.strictEqual(ports.size, 1);
    const [port] = ports;
    const counts = {};
    for (let i = 0; i < 20; i++) {
      for (const id of await Promise.all(Array.from({ length: 10 }, () => get(port)))) {
        counts[id] = (counts[id] || 0) + 1;
      }
    }
    assert.strictEqual(Object.values(counts).reduce((sum, n) => sum + n), 200);
    // With round-robin both workers get connections; otherwise the system decides.
    if (policy === cluster.SCHED_RR) assert(Object.values(counts).every((n) => n > 50), counts);
    const ends = workers.map((worker) => once(worker, 'exit'));
    workers.forEach((worker) => worker.disconnect());
    for (const end of await Promise.all(ends)) assert.deepStrictEqual(end, [0, null]);
  }
}

if (cluster.isPrimary) {
  main(primary);
} else {
  assertLibrary();
  const { id } = cluster.worker;
  http.createServer((_, res) => res.end(String(id))).listen(0, '127.0.0.1');
}
