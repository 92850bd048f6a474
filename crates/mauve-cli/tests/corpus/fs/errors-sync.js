// Errors of synchronous functions.
const fs = require('fs');
const path = require('path');
const dir = fs.mkdtempSync(path.join(process.env.TMPDIR || '/tmp', 'corpus-'));
process.on('exit', () => fs.rmSync(dir, { recursive: true, force: true }));
const at = (...names) => path.join(dir, ...names);
const show = (err) => console.log(err.name, err.code, err.syscall, err.errno, err.message.replaceAll(dir, 'DIR'));
const attempts = {
  open: () => fs.openSync(at('none')),
  read: () => fs.readFileSync(at('none')),
  directory: () => fs.readFileSync(dir),
  stat: () => fs.statSync(at('none')),
  lstat: () => fs.lstatSync(at('none')),
  readdir: () => fs.readdirSync(at('none')),
  rmdir: () => fs.rmdirSync(at('none')),
  mkdir: () => fs.mkdirSync(dir),
  unlink: () => fs.unlinkSync(dir),
  rename: () => fs.renameSync(at('none'), at('other')),
  link: () => fs.linkSync(at('none'), at('other')),
  symlink: () => fs.symlinkSync('x', dir),
  readlink: () => fs.readlinkSync(dir),
  copy: () => fs.copyFileSync(at('none'), at('other')),
  chmod: () => fs.chmodSync(at('none'), 0o600),
  utimes: () => fs.utimesSync(at('none'), 1, 2),
  access: () => fs.accessSync(at('none')),
  truncate: () => fs.truncateSync(at('none')),
  mkdtemp: () => fs.mkdtempSync(at('none', 'x')),
  realpath: () => fs.realpathSync.native(at('none')),
  opendir: () => fs.opendirSync(at('none')),
  exclusive: () => { fs.writeFileSync(at('x'), ''); fs.openSync(at('x'), 'wx'); },
  fd: () => fs.fstatSync(9999),
  close: () => fs.closeSync(9999),
  write: () => fs.writeSync(9999, 'x'),
  rm: () => fs.rmSync(at('none')),
  rmdirectory: () => fs.rmSync(dir),
  statfs: () => fs.statfsSync(at('none')),
};
for (const [name, attempt] of Object.entries(attempts)) {
  try {
    attempt();
    console.log(name, 'ok');
  } catch (err) {
    process.stdout.write(`${name}: `);
    show(err);
    if (err.path) console.log('  path', err.path.replaceAll(dir, 'DIR'), err.dest ? err.dest.replaceAll(dir, 'DIR') : '');
  }
}
console.log(fs.statSync(at('none'), { throwIfNoEntry: false }), fs.rmSync(at('none'), { force: true }));
