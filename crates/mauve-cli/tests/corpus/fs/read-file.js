// readFile and writeFile: flags, encodings, descriptors, abort signals, large files, files of size 0.
const fs = require('fs');
const path = require('path');
const dir = fs.mkdtempSync(path.join(process.env.TMPDIR || '/tmp', 'corpus-'));
process.on('exit', () => fs.rmSync(dir, { recursive: true, force: true }));
const at = (...names) => path.join(dir, ...names);
const big = Buffer.alloc(1500000, 'abc');
(async () => {
  await new Promise((done) => fs.writeFile(at('big'), big, (err) => { console.log(err); done(); }));
  await new Promise((done) => fs.readFile(at('big'), (err, data) => { console.log(err, data.equals(big)); done(); }));
  await new Promise((done) => fs.writeFile(at('e'), '', (err) => { console.log(err, fs.readFileSync(at('e')).length); done(); }));
  await new Promise((done) => fs.readFile('/proc/self/stat', 'utf8', (err, text) => { console.log(err, text.length > 10); done(); }));
  await new Promise((done) => fs.appendFile(at('e'), 'more', { flag: 'a', mode: 0o600 }, () => { console.log(fs.readFileSync(at('e'), 'utf8')); done(); }));
  const fd = fs.openSync(at('e'), 'r+');
  await new Promise((done) => fs.readFile(fd, 'utf8', (err, text) => { console.log('fd', text); done(); }));
  await new Promise((done) => fs.writeFile(fd, 'X', (err) => { console.log(err, fs.readFileSync(at('e'), 'utf8')); done(); }));
  fs.closeSync(fd);
  const controller = new AbortController();
  const aborted = new Promise((done) => fs.readFile(at('big'), { signal: controller.signal }, (err, data) => { console.log(err.name, err.code, data); done(); }));
  controller.abort();
  await aborted;
  await new Promise((done) => fs.readFile(at('big'), { signal: AbortSignal.abort() }, (err) => { console.log(err.name); done(); }));
  await fs.promises.writeFile(at('big'), 'x', { signal: AbortSignal.abort() }).catch((err) => console.log(err.name, err.code));
  await fs.promises.readFile(at('big'), { signal: AbortSignal.abort() }).catch((err) => console.log(err.name, err.code));
  await fs.promises.writeFile(at('parts'), (function* () { yield 'a'; yield 'b'; })());
  console.log(await fs.promises.readFile(at('parts'), 'utf8'), await fs.promises.appendFile(at('parts'), Buffer.from('c')), fs.readFileSync(at('parts'), 'utf8'));
})();
