// watch: a new file in a directory, a tree, an abort signal, a missing path.
const fs = require('fs');
const path = require('path');
const dir = fs.mkdtempSync(path.join(process.env.TMPDIR || '/tmp', 'corpus-'));
process.on('exit', () => fs.rmSync(dir, { recursive: true, force: true }));
const at = (...names) => path.join(dir, ...names);
const show = (err) => console.log(err.name, err.code, err.syscall, err.errno, err.message.replaceAll(dir, 'DIR'));
const watcher = fs.watch(dir);
let reported = false;
watcher.on('change', (event, name) => {
  if (reported) return;
  reported = true;
  console.log(event, name);
  watcher.close();
});
watcher.on('close', () => {
  console.log('close');
  const controller = new AbortController();
  const aborted = fs.watch(dir, { signal: controller.signal });
  aborted.on('close', () => console.log('aborted'));
  controller.abort();
  (async () => {
    const stop = new AbortController();
    fs.mkdirSync(at('inner'));
    setTimeout(() => fs.writeFileSync(at('inner', 'second'), 'x'), 20);
    try {
      for await (const { eventType, filename } of fs.promises.watch(at('inner'), { signal: stop.signal })) {
        console.log(eventType, filename);
        stop.abort();
      }
    } catch (err) {
      console.log(err.name);
    }
  })();
});
setTimeout(() => fs.writeFileSync(at('first'), 'x'), 20);
try {
  fs.watch(at('none'));
} catch (err) {
  show(err);
}
fs.watch(dir, { persistent: false });
