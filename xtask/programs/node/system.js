// system: os, process, memory, time, random bytes
'use strict';
const crypto = require('crypto');
const fs = require('fs');
const os = require('os');
const zlib = require('zlib');
const { promisify } = require('util');
const { assert, main } = require('./lib/check');

main(async () => {
  assert(/mauve/.test(process.versions.uv) || process.versions.uv.startsWith('1.'));
  assert.strictEqual(os.hostname(), fs.readFileSync('/proc/sys/kernel/hostname', 'utf8').trim());
  assert.strictEqual(os.cpus().length, fs.readFileSync('/proc/cpuinfo', 'utf8').match(/^processor/gm).length);
  assert(os.totalmem() > os.freemem() && os.freemem() > 0);
  assert(Math.abs(os.uptime() - parseFloat(fs.readFileSync('/proc/uptime', 'utf8'))) < 5);
  assert.strictEqual(os.loadavg().length, 3);
  assert.strictEqual(os.networkInterfaces().lo[0].address, '127.0.0.1');
  assert.strictEqual(os.userInfo().uid, process.getuid());
  assert.strictEqual(os.release(), fs.readFileSync('/proc/sys/kernel/osrelease', 'utf8').trim());
  const stat = fs.readFileSync('/proc/self/stat', 'utf8');
  assert.strictEqual(os.getPriority(), Number(stat.slice(stat.lastIndexOf(')')).split(' ')[17]));
  assert(process.memoryUsage().rss > 10 << 20 && process.memoryUsage.rss() > 10 << 20);
  assert(process.resourceUsage().maxRSS > 0 && process.cpuUsage().user > 0);
  assert.strictEqual(process.title.includes('node'), true);
  process.title = 'mauve check';
  assert.strictEqual(process.title, 'mauve check');
  assert(process.execPath.endsWith('/node'));
  process.chdir('/');
  assert.strictEqual(process.cwd(), '/');
  assert.throws(() => process.chdir('/no/such'), { code: 'ENOENT' });

  // Pool jobs other than files.
  const bytes = await Promise.all(Array.from({ length: 20 }, () => promisify(crypto.randomBytes)(64)));
  assert.strictEqual(new Set(bytes.map(String)).size, 20);
  const keys = await Promise.all(Array.from({ length: 8 }, () => promisify(crypto.pbkdf2)('x', 'y', 1000, 32, 'sha256')));
  assert.strictEqual(new Set(keys.map(String)).size, 1);
  const packed = await promisify(zlib.brotliCompress)('mauve'.repeat(1000));
  assert.strictEqual((await promisify(zlib.brotliDecompress)(packed)).length, 5000);
});
