// stream/promises: pipeline with a signal, with end: false, and finished.
const { pipeline, finished } = require('stream/promises');
const { Readable, PassThrough, Writable } = require('stream');
(async () => {
  const result = await pipeline(Readable.from(['1', '2']), async (chunks) => {
    let sum = 0;
    for await (const chunk of chunks) sum += Number(chunk);
    return sum;
  });
  console.log(result);
  const open = new PassThrough();
  await pipeline(Readable.from(['kept']), open, { end: false });
  console.log('open', open.writableEnded, String(open.read()));
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 5);
  await pipeline(new Readable({ read() {} }), new PassThrough(), { signal: controller.signal }).catch((err) =>
    console.log(err.name, err.code, err.message),
  );
  const source = Readable.from(['x']);
  source.resume();
  await finished(source);
  console.log('finished', source.readableEnded);
  const broken = new Writable({ write() {} });
  setImmediate(() => broken.destroy(new Error('broken')));
  await finished(broken).catch((err) => console.log(err.message));
  const cut = new Writable({ write() {} });
  setImmediate(() => cut.destroy());
  await finished(cut).catch((err) => console.log(err.code));
  await finished(cut).catch((err) => console.log('again', err.code));
  await finished({}).catch((err) => console.log(err.code, err.message));
})();
