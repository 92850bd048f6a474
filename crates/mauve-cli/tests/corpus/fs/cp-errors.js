// What fs.cp refuses to copy, and the codes.
const fs = require('fs');
const net = require('net');
const os = require('os');
const path = require('path');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'cp-'));
const at = (...names) => path.join(folder, ...names);
const attempt = (label, source, target, options) => {
  try {
    fs.cpSync(source, target, options);
    console.log(label, 'done');
  } catch (error) {
    console.log(label, error.code);
  }
};

fs.mkdirSync(at('source', 'inner'), { recursive: true });
fs.writeFileSync(at('source', 'file'), 'text');
fs.mkdirSync(at('target'));
attempt('directory without recursive', at('source'), at('copy'));
attempt('into itself', at('source'), at('source', 'inner', 'copy'), { recursive: true });
fs.symlinkSync(at('source'), at('target', 'link'));
attempt('into itself through a link', at('source'), at('target', 'link', 'copy'));
fs.mkdirSync(at('links'));
fs.symlinkSync(at('target'), at('links', 'link'));
attempt('link to a parent of the existing one', at('links'), at('target'), { recursive: true });
attempt('asynchronous filter', at('source'), at('copy'), { recursive: true, filter: async () => true });
fs.mkdirSync(at('over'));
fs.writeFileSync(at('over', 'link'), 'a file');
attempt('link over a file', at('links'), at('over'), { recursive: true });
attempt('tree', at('source'), at('copy'), { recursive: true });
console.log(fs.readdirSync(at('copy')));

const server = net.createServer().listen(at('socket'), () => {
  attempt('socket', at('socket'), at('copy-of-socket'));
  server.close();

  // Synchronous operations are refused while an asynchronous one is pending.
  const directory = fs.opendirSync(folder);
  const reading = directory.read();
  for (const method of ['readSync', 'closeSync']) {
    try {
      directory[method]();
    } catch (error) {
      console.log(method, error.code);
    }
  }
  reading.then(() => {
    directory.closeSync();
    fs.rmSync(folder, { recursive: true });
  });
});
