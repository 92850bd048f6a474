// The events of a child process and of a watcher have the store in which it was started.
const { AsyncLocalStorage } = require('async_hooks');
const { spawn } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');

const storage = new AsyncLocalStorage();
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'watch-'));
const watcher = storage.run('watcher', () => fs.watch(folder, () => {
  console.log('change', storage.getStore());
  watcher.removeAllListeners('change').close();
}));
watcher.on('close', () => {
  console.log('close', storage.getStore() ?? 'no store');
  fs.rmSync(folder, { recursive: true });
  storage.run('child', () => spawn('sh', ['-c', 'echo text']))
    .on('exit', (code) => console.log('exit', code, storage.getStore()))
    .on('close', (code) => console.log('close', code, storage.getStore()))
    .stdout.on('data', (data) => console.log(`${data}`.trim(), storage.getStore()));
});
fs.writeFileSync(path.join(folder, 'file'), 'text');
