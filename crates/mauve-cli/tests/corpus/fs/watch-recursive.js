// watch with `recursive`: a change in a subdirectory.
const fs = require('fs');
const path = require('path');
const dir = fs.mkdtempSync(path.join(process.env.TMPDIR || '/tmp', 'corpus-'));
fs.mkdirSync(path.join(dir, 'a', 'b'), { recursive: true });
const watcher = fs.watch(dir, { recursive: true }, (event, name) => {
  if (path.basename(name) !== 'deep') return;
  console.log(name.split(path.sep).join('/'));
  watcher.close();
});
watcher.on('close', () => {
  fs.rmSync(dir, { recursive: true });
  console.log('close', fs.existsSync(dir));
});
setTimeout(() => fs.writeFileSync(path.join(dir, 'a', 'b', 'deep'), 'x'), 100);
