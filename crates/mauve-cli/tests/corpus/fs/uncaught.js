// An error that no callback takes ends the script.
const fs = require('fs');
const path = require('path');
const dir = fs.mkdtempSync(path.join(process.env.TMPDIR || '/tmp', 'corpus-'));
process.on('exit', () => fs.rmSync(dir, { recursive: true, force: true }));
const at = (...names) => path.join(dir, ...names);
const show = (err) => console.log(err.name, err.code, err.syscall, err.errno, err.message.replaceAll(dir, 'DIR'));
fs.readFile(at('none'), (err) => {
  console.log('before');
  if (err) throw Object.assign(new Error('stopped'), { code: err.code });
});
setTimeout(() => console.log('never'), 1000);
