// dqlite: one node, then three that replicate, values written and read over HTTP
'use strict';
const fs = require('fs');
const { setTimeout: sleep } = require('timers/promises');
const { assert, main } = require('../node/lib/check');
const { freePort, Server } = require('./lib/server');

async function start(id, join) {
  const [api, db] = [await freePort(), await freePort()];
  fs.mkdirSync(`data${id}`);
  const args = ['--api', `127.0.0.1:${api}`, '--db', `127.0.0.1:${db}`, '--dir', `data${id}`];
  if (join) args.push('--join', `127.0.0.1:${join.db}`);
  const server = new Server('dqlite-demo', args);
  await server.listening(api);
  return { api, db, server };
}

async function put(node, key, value) {
  const response = await fetch(`http://127.0.0.1:${node.api}/${key}`, { method: 'PUT', body: value });
  assert.strictEqual((await response.text()).trim(), 'done');
}

async function get(node, key) {
  const response = await fetch(`http://127.0.0.1:${node.api}/${key}`);
  return (await response.text()).trim();
}

main(async () => {
  const first = await start(1);
  for (let i = 0; i < 20; i++) await put(first, `key${i}`, `value ${i}`);
  for (let i = 0; i < 20; i++) assert.strictEqual(await get(first, `key${i}`), `value ${i}`);
  const others = [await start(2, first), await start(3, first)];
  await put(others[0], 'colour', 'mauve');
  for (const node of [first, ...others]) {
    let value = '';
    for (let i = 0; i < 200 && value !== 'mauve'; i++, await sleep(20)) value = await get(node, 'colour');
    assert.strictEqual(value, 'mauve');
  }
  for (const node of [others[1], others[0], first]) await node.server.stop('SIGTERM');
});
