// child processes: spawn, exec, fork with messages and handles, exit codes, signals
'use strict';
const cp = require('child_process');
const fs = require('fs');
const net = require('net');
const { once } = require('events');
const { promisify } = require('util');
const { assert, main, assertLibrary } = require('./lib/check');

async function parent() {
  // Pipes data through another program and back.
  const sort = cp.spawn('sort', ['-n']);
  const numbers = Array.from({ length: 20000 }, (_, i) => (i * 7919) % 20000);
  sort.stdin.end(numbers.join('\n') + '\n');
  const parts = [];
  sort.stdout.on('data', (part) => parts.push(part));
  assert.deepStrictEqual(await once(sort, 'close'), [0, null]);
  const sorted = Buffer.concat(parts).toString().trim().split('\n').map(Number);
  assert.deepStrictEqual(sorted, numbers.sort((a, b) => a - b));

  const exec = promisify(cp.exec);
  const options = { cwd: '/', env: { ...process.env, COLOUR: 'mauve' } };
  const { stdout, stderr } = await exec('pwd; echo $COLOUR; echo oops >&2', options);
  assert.deepStrictEqual([stdout, stderr], ['/\nmauve\n', 'oops\n']);
  await assert.rejects(exec('exit 7'), { code: 7 });
  await assert.rejects(exec('sleep 100', { timeout: 50 }), { killed: true, signal: 'SIGTERM' });
  await assert.rejects(promisify(cp.execFile)('/no/such/program'), { code: 'ENOENT' });
  assert.strictEqual(cp.execFileSync('cat', { input: 'through' }).toString(), 'through');
  assert.strictEqual(cp.spawnSync('sh', ['-c', 'exit 9']).status, 9);
  assert.strictEqual(cp.spawnSync('sleep', ['100'], { timeout: 50 }).error.code, 'ETIMEDOUT');

  const sleeper = cp.spawn('sleep', ['100']);
  await once(sleeper, 'spawn');
  assert(sleeper.kill('SIGKILL'));
  assert.deepStrictEqual(await once(sleeper, 'exit'), [null, 'SIGKILL']);

  const out = fs.openSync('out', 'w');
  const quiet = cp.spawn('sh', ['-c', 'echo to a file; echo more >&3'], { stdio: ['ignore', out, 'inherit', 'pipe'] });
  const more = once(quiet.stdio[3], 'data');
  await once(quiet, 'close');
  assert.strictEqual((await more)[0].toString(), 'more\n');
  assert.strictEqual(fs.readFileSync('out', 'utf8'), 'to a file\n');
  fs.closeSync(out);

  const codes = await Promise.all(Array.from({ length: 40 }, async (_, i) => {
    const child = cp.spawn('sh', ['-c', `exit ${i}`]);
    return (await once(child, 'exit'))[0];
  }));
  assert.deepStrictEqual(codes, Array.from({ length: 40 }, (_, i) => i));
  await forked();
}

async function forked() {
  const child = cp.fork(__filename, ['child'], { serialization: 'advanced' });
  const reply = () => once(child, 'message').then(([message]) => message);
  assert.deepStrictEqual(await reply(), 'ready');
  for (let i = 0; i < 200; i++) {
    child.send({ echo: new Map([[i, 'x'.repeat(i * 10)]]) });
    assert.strictEqual((await reply()).get(i).length, i * 10);
  }
  // Sends a listening socket to the child, which accepts on it.
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  child.send('server', server);
  assert.strictEqual(await reply(), 'has it');
  server.close();
  const socket = net.connect(port, '127.0.0.1');
  assert.strictEqual((await once(socket, 'data'))[0].toString(), 'from the child');
  await once(socket, 'close');
  child.send('end');
  assert.deepStrictEqual(await once(child, 'exit'), [5, null]);
}

function child() {
  assertLibrary();
  process.on('message', (message, handle) => {
    if (message.echo) return process.send(message.echo);
    if (message === 'end') return process.exit(5);
    handle.on('connection', (socket) => {
      socket.end('from the child');
      handle.close();
    });
    process.send('has it');
  });
  process.send('ready');
}

if (process.argv[2] === 'child') child(); else main(parent);
