// standard streams: pipes, files and sockets as stdin and stdout, large and in order
'use strict';
const cp = require('child_process');
const fs = require('fs');
const { assert, main } = require('./lib/check');

const lines = Array.from({ length: 100000 }, (_, i) => `line ${i}`).join('\n') + '\n';

function shell(command, input) {
  const env = { ...process.env, NODE: process.execPath, SCRIPT: __filename };
  const done = cp.spawnSync('sh', ['-c', command], { env, input, maxBuffer: 1 << 26 });
  assert.strictEqual(done.status, 0, String(done.stderr));
  return done.stdout.toString();
}

async function parent() {
  fs.writeFileSync('lines', lines);
  assert.strictEqual(shell('"$NODE" "$SCRIPT" copy', lines), lines);
  assert.strictEqual(shell('"$NODE" "$SCRIPT" copy < lines'), lines);
  shell('"$NODE" "$SCRIPT" copy < lines > copied');
  assert.strictEqual(fs.readFileSync('copied', 'utf8'), lines);
  assert.strictEqual(shell('cat lines | "$NODE" "$SCRIPT" copy | "$NODE" "$SCRIPT" copy | wc -l').trim(), '100000');
  assert.strictEqual(shell('"$NODE" "$SCRIPT" print | tail -n 1'), 'line 99999\n');
  assert.strictEqual(shell('"$NODE" "$SCRIPT" copy < /dev/null'), '');
  // The reader exits; the writer must exit too, and not hang.
  assert.strictEqual(shell('"$NODE" "$SCRIPT" print 2>/dev/null | head -n 1'), 'line 0\n');
  shell('"$NODE" "$SCRIPT" print > /dev/null');
  fs.unlinkSync('lines');
  fs.unlinkSync('copied');
}

switch (process.argv[2]) {
  case 'copy':
    process.stdin.pipe(process.stdout);
    break;
  case 'print':
    for (let i = 0; i < 100000; i++) console.log(`line ${i}`);
    break;
  default:
    main(parent);
}
