// pipeline: success, an error in each stream, generators, a promise, wrong arguments.
const { pipeline, Readable, Transform, Writable, PassThrough } = require('stream');
const source = (fail) =>
  Readable.from((function* () {
    yield 'a';
    if (fail) throw new Error('source');
    yield 'b';
  })());
const upper = (fail) =>
  new Transform({ transform: (c, e, cb) => (fail ? cb(new Error('middle')) : cb(null, String(c).toUpperCase())) });
const sink = (fail) => {
  const got = [];
  const stream = new Writable({ write: (c, e, cb) => (got.push(String(c)), fail ? cb(new Error('sink')) : cb()) });
  stream.got = got;
  return stream;
};
function run(name, s, t, w) {
  pipeline(s, t, w, (err) => {
    console.log(name, err ? err.message : 'ok', w.got, s.destroyed, t.destroyed, w.destroyed);
  });
}
run('good', source(), upper(), sink());
run('source', source(true), upper(), sink());
run('middle', source(), upper(true), sink());
run('sink', source(), upper(), sink(true));
pipeline(
  ['x', 'y'],
  async function* (chunks) {
    for await (const chunk of chunks) yield chunk + chunk;
  },
  async (chunks) => {
    let all = '';
    for await (const chunk of chunks) all += chunk;
    return all;
  },
  (err, value) => console.log('promise', err, value),
);
const cut = new PassThrough();
pipeline(cut, new PassThrough(), (err) => console.log('cut', err.code, err.message));
setImmediate(() => cut.destroy());
for (const args of [[], [source(), () => {}], [source(), sink()]]) {
  try {
    pipeline(...args);
  } catch (err) {
    console.log(err.name, err.code, err.message);
  }
}
