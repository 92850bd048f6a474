// createWriteStream: events, flags, start, errors, close, and a pipe of files.
const fs = require('fs');
const path = require('path');
const dir = fs.mkdtempSync(path.join(process.env.TMPDIR || '/tmp', 'corpus-'));
process.on('exit', () => fs.rmSync(dir, { recursive: true, force: true }));
const at = (...names) => path.join(dir, ...names);
const { pipeline } = require('stream/promises');
function watch(name, stream) {
  return new Promise((done) => {
    for (const event of ['open', 'ready', 'drain', 'finish', 'error', 'close']) {
      stream.on(event, (value) => {
        console.log(name, event, event === 'open' ? typeof value : event === 'error' ? value.code : '');
        if (event === 'close') done();
      });
    }
  });
}
(async () => {
  const out = fs.createWriteStream(at('f'));
  console.log(out.pending, out.writableHighWaterMark, out.flags);
  const over = watch('out', out);
  console.log(out.write('hello '), out.write(Buffer.alloc(20000, 'x')), out.bytesWritten);
  out.end('!', () => console.log('end cb', out.bytesWritten));
  await over;
  console.log(fs.statSync(at('f')).size, out.fd);
  const start = fs.createWriteStream(at('f'), { flags: 'r+', start: 6 });
  start.end('world');
  await watch('start', start);
  console.log(fs.readFileSync(at('f'), 'utf8').slice(0, 12));
  const append = fs.createWriteStream(at('f'), { flags: 'a', encoding: 'hex' });
  append.cork();
  append.write('21');
  append.write('21');
  append.uncork();
  append.close(() => console.log('close cb'));
  await watch('append', append);
  console.log(fs.readFileSync(at('f'), 'utf8').slice(-3));
  await watch('none', fs.createWriteStream(at('none', 'x')));
  await pipeline(fs.createReadStream(at('f')), fs.createWriteStream(at('copy')));
  console.log(fs.readFileSync(at('copy')).equals(fs.readFileSync(at('f'))));
  await pipeline(fs.createReadStream(at('none')), fs.createWriteStream(at('copy2'))).catch((err) => console.log(err.code));
})();
