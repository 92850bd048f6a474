// The order of file callbacks relative to ticks, timers and immediates.
const fs = require('fs');
const path = require('path');
const dir = fs.mkdtempSync(path.join(process.env.TMPDIR || '/tmp', 'corpus-'));
process.on('exit', () => fs.rmSync(dir, { recursive: true, force: true }));
const at = (...names) => path.join(dir, ...names);
fs.writeFileSync(at('f'), 'contents');
fs.stat(at('f'), () => {
  console.log('stat');
  process.nextTick(() => console.log('tick'));
  setImmediate(() => console.log('immediate'));
  Promise.resolve().then(() => console.log('microtask'));
});
setTimeout(() => {
  fs.open(at('f'), (err, fd) => {
    console.log('open', typeof fd);
    fs.fstat(fd, (err2, stats) => {
      console.log('fstat', stats.size);
      fs.read(fd, Buffer.alloc(4), 0, 4, null, (err3, n, buffer) => {
        console.log('read', n, String(buffer));
        fs.close(fd, (err4) => {
          console.log('close', err4);
          fs.readFile(at('f'), () => console.log('readFile'));
          setImmediate(() => console.log('immediate before it'));
        });
        setImmediate(() => console.log('immediate of read'));
      });
    });
  });
}, 30);
