// watchFile reports changes, and a missing file.
const fs = require('fs');
const path = require('path');
const dir = fs.mkdtempSync(path.join(process.env.TMPDIR || '/tmp', 'corpus-'));
process.on('exit', () => fs.rmSync(dir, { recursive: true, force: true }));
const at = (...names) => path.join(dir, ...names);
fs.writeFileSync(at('f'), 'a');
fs.watchFile(at('f'), { interval: 20 }, (now, before) => {
  console.log('changed', now.size, before.size);
  fs.unwatchFile(at('f'));
});
setTimeout(() => fs.writeFileSync(at('f'), 'abc'), 100);
fs.watchFile(at('none'), { interval: 20 }, (now, before) => {
  console.log('none', now.size, before.size, now.mtimeMs, now.isFile());
  fs.unwatchFile(at('none'));
});
