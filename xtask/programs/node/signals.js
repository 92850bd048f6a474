// signals: handlers, many signals, the default action, a clean exit on SIGTERM
'use strict';
const { spawn } = require('child_process');
const { once } = require('events');
const { assert, main } = require('./lib/check');

async function parent() {
  // A signal listener does not keep the process alive.
  const keep = setInterval(() => {}, 1000);
  for (const name of ['SIGUSR2', 'SIGHUP', 'SIGINT', 'SIGWINCH']) {
    const caught = once(process, name);
    process.kill(process.pid, name);
    assert.deepStrictEqual(await caught, [name, require('os').constants.signals[name]]);
  }
  let count = 0;
  const counter = () => count++;
  process.on('SIGUSR2', counter);
  for (let i = 0; i < 50; i++) {
    const before = count;
    process.kill(process.pid, 'SIGUSR2');
    while (count === before) await new Promise(setImmediate);
  }
  assert.strictEqual(count, 50);
  process.removeListener('SIGUSR2', counter);
  clearInterval(keep);

  const polite = spawn(process.execPath, [__filename, 'polite']);
  assert.strictEqual((await once(polite.stdout, 'data'))[0].toString(), 'ready\n');
  polite.kill('SIGTERM');
  assert.deepStrictEqual(await once(polite, 'exit'), [12, null]);
  const plain = spawn(process.execPath, [__filename, 'plain']);
  await once(plain.stdout, 'data');
  plain.kill('SIGTERM');
  assert.deepStrictEqual(await once(plain, 'exit'), [null, 'SIGTERM']);
}

const kind = process.argv[2];
if (!kind) {
  main(parent);
} else {
  setInterval(() => {}, 1000);
  if (kind === 'polite') process.on('SIGTERM', () => process.exit(12));
  console.log('ready');
}
