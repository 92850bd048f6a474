// Errors passed to callbacks and promises, and their properties.
const fs = require('fs');
const path = require('path');
const dir = fs.mkdtempSync(path.join(process.env.TMPDIR || '/tmp', 'corpus-'));
process.on('exit', () => fs.rmSync(dir, { recursive: true, force: true }));
const at = (...names) => path.join(dir, ...names);
const show = (err) => console.log(err.name, err.code, err.syscall, err.errno, err.message.replaceAll(dir, 'DIR'));
(async () => {
  await new Promise((done) => fs.readFile(at('none'), (err, data) => { show(err); console.log(data, Object.keys(err)); done(); }));
  await new Promise((done) => fs.rename(at('none'), at('x'), (err) => { show(err); done(); }));
  await new Promise((done) => fs.rm(at('none'), (err) => { show(err); done(); }));
  await new Promise((done) => fs.readdir(at('none'), (err) => { show(err); done(); }));
  await new Promise((done) => fs.exists(at('none'), (yes) => { console.log(yes); done(); }));
  await new Promise((done) => fs.close(9999, (err) => { show(err); done(); }));
  for (const [name, ...args] of [['stat', at('none')], ['open', at('none')], ['mkdir', dir], ['readFile', dir], ['rmdir', at('none')], ['copyFile', at('none'), at('x')], ['rm', dir], ['access', at('none')], ['cp', at('none'), at('x')]]) {
    await fs.promises[name](...args).then(() => console.log(name, 'ok'), show);
  }
})();
