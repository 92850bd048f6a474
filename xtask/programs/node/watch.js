// watching: fs.watch of a folder and a file, fs.watchFile
'use strict';
const fs = require('fs');
const { once } = require('events');
const { setTimeout: sleep } = require('timers/promises');
const { assert, main } = require('./lib/check');

main(async () => {
  fs.mkdirSync('watched');
  const folder = fs.watch('watched');
  const events = [];
  folder.on('change', (kind, name) => events.push(`${kind} ${name}`));
  const seen = async (event) => {
    for (let i = 0; i < 500 && !events.includes(event); i++) await sleep(10);
    assert(events.includes(event), `${event} is not among ${events}`);
  };
  fs.writeFileSync('watched/x', '1');
  await seen('rename x');
  await seen('change x');
  fs.renameSync('watched/x', 'watched/y');
  await seen('rename y');

  const file = fs.watch('watched/y');
  const changed = once(file, 'change');
  fs.appendFileSync('watched/y', '2');
  assert.deepStrictEqual((await changed), ['change', 'y']);
  file.close();
  folder.close();
  assert.throws(() => fs.watch('none'), { code: 'ENOENT' });

  const polled = fs.watchFile('watched/y', { interval: 20 }, () => {});
  const stats = once(polled, 'change');
  await sleep(50);
  fs.appendFileSync('watched/y', '345');
  const [now, before] = await stats;
  assert.deepStrictEqual([now.size, before.size], [5, 2]);
  fs.unwatchFile('watched/y');

  const abort = new AbortController();
  const found = (async () => {
    for await (const event of fs.promises.watch('watched', { signal: abort.signal })) return event;
  })();
  fs.writeFileSync('watched/z', '');
  assert.strictEqual((await found).filename, 'z');
});
