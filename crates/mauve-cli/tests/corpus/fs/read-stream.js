// createReadStream: ranges, encodings, events, errors, close.
const fs = require('fs');
const path = require('path');
const dir = fs.mkdtempSync(path.join(process.env.TMPDIR || '/tmp', 'corpus-'));
process.on('exit', () => fs.rmSync(dir, { recursive: true, force: true }));
const at = (...names) => path.join(dir, ...names);
fs.writeFileSync(at('f'), 'abcdefghijklmnopqrstuvwxyz');
function watch(name, stream) {
  return new Promise((done) => {
    for (const event of ['open', 'ready', 'data', 'end', 'error', 'close']) {
      stream.on(event, (value) => {
        console.log(name, event, event === 'open' ? typeof value : event === 'error' ? value.code : value === undefined ? '' : String(value));
        if (event === 'close') done();
      });
    }
  });
}
(async () => {
  const stream = fs.createReadStream(at('f'));
  console.log(stream.pending, stream.path === at('f'), stream.flags, stream.mode, stream.readableHighWaterMark, stream.bytesRead);
  await watch('stream', stream);
  console.log(stream.pending, stream.bytesRead, stream.fd);
  await watch('range', fs.createReadStream(at('f'), { start: 3, end: 12, highWaterMark: 4 }));
  await watch('text', fs.createReadStream(at('f'), { encoding: 'utf8', start: 20 }));
  await watch('none', fs.createReadStream(at('none')));
  const fd = fs.openSync(at('f'));
  await watch('fd', fs.createReadStream(null, { fd, end: 4 }));
  const early = fs.createReadStream(at('f'));
  const over = watch('early', early);
  early.destroy();
  await over;
  const controller = new AbortController();
  const aborted = watch('aborted', fs.createReadStream(at('f'), { signal: controller.signal }));
  controller.abort();
  await aborted;
  let text = '';
  for await (const chunk of fs.createReadStream(at('f'), { highWaterMark: 10 })) text += `[${chunk}]`;
  console.log(text);
  const kept = fs.createReadStream(at('f'), { autoClose: false });
  kept.on('end', () => {
    console.log('kept', typeof kept.fd, kept.destroyed);
    kept.close((err) => console.log('closed', err, kept.fd));
  });
  kept.resume();
})();
