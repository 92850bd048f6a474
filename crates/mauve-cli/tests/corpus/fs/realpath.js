// realpath examines a path component by component: which one an error names, pipes, encodings, order.
const { execFileSync } = require('child_process');
const fs = require('fs');
const path = require('path');
const dir = fs.realpathSync.native(fs.mkdtempSync(path.join(process.env.TMPDIR || '/tmp', 'corpus-')));
process.on('exit', () => fs.rmSync(dir, { recursive: true, force: true }));
const at = (...names) => path.join(dir, ...names);
const short = (text) => String(text).replaceAll(dir, 'DIR');
fs.mkdirSync(at('a/b'), { recursive: true });
fs.writeFileSync(at('a/b/file'), '');
fs.symlinkSync('a/b', at('to-b'));
fs.symlinkSync('../to-b/file', at('a/to-file'));
fs.symlinkSync('nowhere', at('dangling'));
fs.symlinkSync('loop-b', at('loop-a'));
fs.symlinkSync('loop-a', at('loop-b'));
execFileSync('mkfifo', [at('a/fifo')]);
fs.symlinkSync('a/fifo', at('to-fifo'));
const PATHS = [
  at('a/to-file'), at('to-b/..'), at('to-b/./file'), at('none'), at('none/deeper/still'), at('a/b/file/below'),
  at('dangling'), at('dangling/x'), at('loop-a'), at('to-fifo'), at('a/fifo'), at('to-fifo/below'), '/', '//', '', '.',
  Buffer.from(at('to-b')), new URL(`file://${at('to-b')}`),
];
for (const name of PATHS) {
  try {
    console.log('sync', short(name), short(fs.realpathSync(name)));
  } catch ({ code, syscall, path: failed, message }) {
    console.log('sync', short(name), code, syscall, short(failed), short(message));
  }
}
console.log(short(fs.realpathSync(at('to-b'), 'buffer')), fs.realpathSync('/', 'hex'), fs.realpathSync('/', { encoding: 'buffer' }));
for (const bad of [5, null, undefined, {}, 'a\0b']) {
  for (const form of [(name) => fs.realpathSync(name), (name) => fs.realpath(name, () => {}), (name) => fs.realpath(name)]) {
    try {
      console.log(form(bad));
    } catch (err) {
      console.log(err.name, err.code, short(err.message.replaceAll(process.cwd(), 'CWD')));
    }
  }
}

(async () => {
  for (const name of PATHS) {
    await new Promise((resolve) => {
      fs.realpath(name, (err, found) => {
        console.log('async', short(name), err && [err.code, err.syscall, short(err.path)], short(found));
        resolve();
      });
    });
  }
  // The first component is examined in a tick, so the stat comes first.
  fs.realpath(at('to-b'), 'hex', (err, found) => console.log('realpath', err, found.length));
  fs.stat(dir, () => console.log('stat'));
  process.nextTick(() => console.log('tick'));
})();
