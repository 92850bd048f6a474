// mkdir and its result, all forms of readdir, rm of a tree, opendir.
const fs = require('fs');
const path = require('path');
const dir = fs.mkdtempSync(path.join(process.env.TMPDIR || '/tmp', 'corpus-'));
process.on('exit', () => fs.rmSync(dir, { recursive: true, force: true }));
const at = (...names) => path.join(dir, ...names);
const show = (err) => console.log(err.name, err.code, err.syscall, err.errno, err.message.replaceAll(dir, 'DIR'));
const first = fs.mkdirSync(at('a', 'b', 'c'), { recursive: true });
console.log(path.relative(dir, first), fs.mkdirSync(at('a', 'b'), { recursive: true }), fs.mkdirSync(at('plain')));
fs.writeFileSync(at('a', 'one'), '1');
fs.writeFileSync(at('a', 'b', 'two'), '2');
fs.symlinkSync('one', at('a', 'link'));
console.log(fs.readdirSync(at('a')), fs.readdirSync(at('a'), 'buffer').length);
for (const entry of fs.readdirSync(at('a'), { withFileTypes: true })) {
  console.log(entry.name, entry.isFile(), entry.isDirectory(), entry.isSymbolicLink(), path.relative(dir, entry.parentPath), entry.path);
}
console.log(fs.readdirSync(dir, { recursive: true }).sort());
fs.readdir(dir, { recursive: true, withFileTypes: true }, (err, list) => {
  console.log(list.map((e) => path.relative(dir, path.join(e.parentPath, e.name))).sort());
  fs.mkdir(at('x', 'y'), { recursive: true }, (err2, made) => {
    console.log(err2, path.relative(dir, made));
    fs.mkdir(at('a', 'one', 'z'), { recursive: true }, (err3) => {
      show(err3);
      walk();
    });
  });
});
async function walk() {
  const names = [];
  for await (const entry of await fs.promises.opendir(at('a'))) names.push(entry.name);
  console.log(names.sort());
  const handle = fs.opendirSync(at('plain'));
  console.log(path.relative(dir, handle.path), handle.readSync(), handle.closeSync());
  try {
    handle.readSync();
  } catch (err) {
    console.log(err.code, err.message);
  }
  await fs.promises.rm(at('a'), { recursive: true });
  fs.rmdirSync(at('plain'));
  fs.rmSync(at('x'), { recursive: true });
  console.log(fs.readdirSync(dir));
}
