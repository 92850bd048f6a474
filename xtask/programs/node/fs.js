// files: callbacks, promises, folders, links, errors
'use strict';
const fs = require('fs');
const { promisify } = require('util');
const { assert, main } = require('./lib/check');

main(async () => {
  const p = fs.promises;
  await p.mkdir('a/b/c', { recursive: true });
  await promisify(fs.writeFile)('a/one', 'first\n');
  await promisify(fs.appendFile)('a/one', 'second\n');
  assert.strictEqual(await promisify(fs.readFile)('a/one', 'utf8'), 'first\nsecond\n');
  assert.strictEqual((await p.stat('a/one')).size, 13);
  assert.strictEqual((await p.stat('a/one', { bigint: true })).size, 13n);

  await p.symlink('one', 'a/link');
  assert.strictEqual(await p.readlink('a/link'), 'one');
  assert((await p.lstat('a/link')).isSymbolicLink());
  assert.strictEqual(await p.realpath('a/link'), fs.realpathSync.native('a/one'));
  await p.copyFile('a/one', 'a/two');
  await assert.rejects(p.copyFile('a/one', 'a/two', fs.constants.COPYFILE_EXCL), { code: 'EEXIST' });
  await p.rename('a/two', 'a/three');
  await p.link('a/three', 'a/four');
  assert.strictEqual((await p.stat('a/four')).nlink, 2);
  await p.chmod('a/four', 0o600);
  assert.strictEqual((await p.stat('a/three')).mode & 0o777, 0o600);
  await p.utimes('a/four', 1000, 2000.5);
  assert.strictEqual((await p.stat('a/four')).mtimeMs, 2000500);
  await p.truncate('a/four', 5);
  assert.strictEqual(fs.readFileSync('a/three', 'utf8'), 'first');

  assert.deepStrictEqual((await p.readdir('a')).sort(), ['b', 'four', 'link', 'one', 'three']);
  const kinds = {};
  for await (const entry of await p.opendir('a')) kinds[entry.name] = entry.isDirectory();
  assert.deepStrictEqual(kinds, { b: true, four: false, link: false, one: false, three: false });

  const file = await p.open('a/scattered', 'w+');
  await file.write(Buffer.from('world'), 0, 5, 6);
  await file.writev([Buffer.from('hel'), Buffer.from('lo ')], 0);
  const [x, y] = [Buffer.alloc(4), Buffer.alloc(7)];
  assert.strictEqual((await file.readv([x, y], 0)).bytesRead, 11);
  assert.strictEqual(x.toString() + y.toString(), 'hello world');
  await file.sync();
  await file.datasync();
  await file.close();

  await assert.rejects(p.readFile('a/none'), { code: 'ENOENT', errno: -2, syscall: 'open' });
  await assert.rejects(p.rmdir('a'), { code: 'ENOTEMPTY' });
  await assert.rejects(p.readFile('a'), { code: 'EISDIR' });
  assert.throws(() => fs.openSync('a/one/x'), { code: 'ENOTDIR' });
  assert((await p.mkdtemp('temporary-')).startsWith('temporary-'));
  assert((await p.statfs?.('.'))?.blocks !== 0);
  assert(fs.readFileSync('/proc/self/status', 'utf8').startsWith('Name:'));

  // More concurrent requests than the pool has threads.
  const names = Array.from({ length: 300 }, (_, i) => `a/b/${i}`);
  await Promise.all(names.map((name) => p.writeFile(name, name.repeat(100))));
  const texts = await Promise.all(names.map((name) => p.readFile(name, 'utf8')));
  texts.forEach((text, i) => assert.strictEqual(text, names[i].repeat(100)));
  await p.rm('a', { recursive: true });
  assert(!fs.existsSync('a'));
});
