// Arguments of the wrong type.
const fs = require('fs');
const path = require('path');
const dir = fs.mkdtempSync(path.join(process.env.TMPDIR || '/tmp', 'corpus-'));
process.on('exit', () => fs.rmSync(dir, { recursive: true, force: true }));
const at = (...names) => path.join(dir, ...names);
const nop = () => {};
const attempts = [
  () => fs.readFile(), () => fs.readFile('x'), () => fs.readFile(1.5, nop), () => fs.readFile({}, nop), () => fs.readFileSync('a\0b'),
  () => fs.readFileSync('x', 5), () => fs.readFileSync('x', 'klingon'), () => fs.openSync('x', 'q'), () => fs.openSync('x', 'r', 'zz'), () => fs.openSync('x', 'r', -1),
  () => fs.closeSync('1'), () => fs.closeSync(-1), () => fs.fstatSync(1.5), () => fs.writeFileSync('x', 5), () => fs.writeFileSync('x', {}), () => fs.writeFileSync(at('u')),
  () => fs.mkdirSync(5), () => fs.mkdirSync(at('m'), { recursive: 'yes' }), () => fs.accessSync('x', 99), () => fs.chmodSync('x'), () => fs.chownSync('x', 'a', 1),
  () => fs.readSync(0, 'x'), () => fs.readSync(0, Buffer.alloc(2), 3), () => fs.readSync(0, Buffer.alloc(2), 0, 5), () => fs.readSync(0, Buffer.alloc(0), 0, 1),
  () => fs.writeSync(1, 5), () => fs.writeSync(1, Buffer.alloc(2), 3), () => fs.utimesSync('x', 'y', 1), () => fs.symlinkSync('x', 'y', 'z'),
  () => fs.stat('x'), () => fs.rename('x', nop), () => fs.createReadStream('x', { start: 5, end: 2 }), () => fs.createReadStream('x', { start: 'a' }), () => fs.createReadStream(5),
  () => fs.watchFile('x'), () => fs.rmSync('x', { recursive: 5 }), () => fs.copyFileSync('x', 'y', 99), () => fs.readvSync(1, 'x'), () => fs.truncateSync('x', 'y'), () => fs.exists('x'),
  () => fs.writeFile(at('x'), 'y', { flush: 5 }, nop), () => fs.opendirSync('.', { bufferSize: 0 }), () => fs.readFileSync(new URL('http://x/')),
];
attempts.forEach((attempt, i) => {
  try {
    attempt();
    console.log(i, 'ok');
  } catch (err) {
    console.log(i, err.name, err.code, err.message);
  }
});
