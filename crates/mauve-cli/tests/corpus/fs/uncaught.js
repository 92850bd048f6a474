// An exception in a callback exits the process.
const fs = require('fs');
const path = require('path');
const dir = fs.mkdtempSync(path.join(process.env.TMPDIR || '/tmp', 'corpus-'));
process.on('exit', () => fs.rmSync(dir, { recursive: true, force: true }));
const at = (...names) => path.join(dir, ...names);
fs.readFile(at('none'), (err) => {
  console.log('before');
  if (err) throw Object.assign(new Error('stopped'), { code: err.code });
});
setTimeout(() => console.log('never'), 1000);
