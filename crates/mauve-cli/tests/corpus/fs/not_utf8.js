// Names that are not UTF-8: created, listed and removed.
const fs = require('fs');
const os = require('os');
const path = require('path');
const directory = fs.mkdtempSync(Buffer.from(path.join(os.tmpdir(), 'mauve-name-')));
const name = Buffer.from([0x66, 0xff, 0xfe]);
const inner = Buffer.concat([Buffer.from(`${directory}/inner/`), name]);
console.log(fs.mkdirSync(`${directory}/inner/../inner/deep`, { recursive: true }) !== undefined, fs.existsSync(`${directory}/inner/deep`));
fs.writeFileSync(inner, 'x');
console.log(fs.readdirSync(`${directory}/inner`, 'buffer'), fs.readdirSync(`${directory}/inner`, 'latin1'), fs.readdirSync(`${directory}/inner`, 'hex'));
fs.rmSync(directory, { recursive: true });
console.log(fs.existsSync(directory));
const file = `${directory}.txt`;
fs.writeFileSync(file, 'abc');
const fd = fs.openSync(file, 'r+');
for (const position of [1n, 0n, -1n, 1.5, 'x']) {
  try { console.log(fs.readSync(fd, Buffer.alloc(2), 0, 2, position)); } catch (error) { console.log(error.code, error.message); }
}
for (const call of [() => fs.fchmod(fd, '12x'), () => fs.fchown(fd, 'a'), () => fs.ftruncate(fd, ''), () => fs.truncate(file, null, () => {}), () => fs.opendir('/'), () => new fs.Dir()]) {
  try { call(); } catch (error) { console.log(error.code, error.message); }
}
class Options { start = 1; }
fs.createReadStream(file, Object.create(new Options())).on('data', (data) => console.log(String(data))).on('close', () => {
  const stream = fs.createWriteStream(file, { fs: { ...fs, writev: (...args) => { console.log('writev', args[1].length); fs.writev(...args); } } });
  for (const part of ['a', 'b', 'c', 'd']) stream.write(part);
  stream.end(() => { fs.closeSync(fd); console.log(fs.readFileSync(file, 'utf8')); fs.unlinkSync(file); });
});
