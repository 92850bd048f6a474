// util.promisify of fs functions, and replaced fs functions.
const fs = require('fs');
const path = require('path');
const dir = fs.mkdtempSync(path.join(process.env.TMPDIR || '/tmp', 'corpus-'));
process.on('exit', () => fs.rmSync(dir, { recursive: true, force: true }));
const at = (...names) => path.join(dir, ...names);
const { promisify } = require('util');
fs.writeFileSync(at('f'), 'contents');
(async () => {
  console.log(await promisify(fs.readFile)(at('f'), 'utf8'), await promisify(fs.exists)(at('f')), await promisify(fs.exists)(at('g')));
  const fd = fs.openSync(at('f'), 'r+');
  console.log(await promisify(fs.read)(fd, Buffer.alloc(3), 0, 3, 0), await promisify(fs.write)(fd, 'x'));
  fs.closeSync(fd);
  await promisify(fs.stat)(at('none')).catch((err) => console.log(err.code));
  const original = fs.readFileSync;
  fs.readFileSync = () => 'patched';
  console.log(require('fs').readFileSync('x'));
  fs.readFileSync = original;
})();
