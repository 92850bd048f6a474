// Stats and BigIntStats, and their dates.
const fs = require('fs');
const path = require('path');
const dir = fs.mkdtempSync(path.join(process.env.TMPDIR || '/tmp', 'corpus-'));
process.on('exit', () => fs.rmSync(dir, { recursive: true, force: true }));
const at = (...names) => path.join(dir, ...names);
fs.writeFileSync(at('f'), 'x'.repeat(100));
fs.utimesSync(at('f'), new Date(1000), '2');
const stats = fs.statSync(at('f'));
console.log(Object.keys(stats), stats.size, stats.isFile(), stats.isDirectory(), stats.isFIFO(), stats.isSocket());
console.log(stats.atime.toISOString(), stats.mtime, stats.mtimeMs, stats instanceof fs.Stats, stats.birthtime instanceof Date);
const big = fs.statSync(at('f'), { bigint: true });
console.log(Object.keys(big), big.size, big.mtimeNs, big.mtimeMs, big.isFile(), big.mtime.toISOString());
fs.lutimesSync(at('f'), 5, 6);
console.log(fs.lstatSync(at('f')).mtimeMs);
fs.stat(dir, { bigint: true }, (err, s) => console.log(err, s.isDirectory(), typeof s.ino));
fs.promises.lstat(dir).then((s) => console.log(s.isDirectory(), typeof s.ino));
console.log(typeof fs.statfsSync('/').bsize, Object.keys(fs.statfsSync('/')));
console.log(fs.constants.O_RDONLY, fs.constants.S_IFMT, fs.F_OK, fs.constants.COPYFILE_EXCL, Object.keys(fs.constants).length);
