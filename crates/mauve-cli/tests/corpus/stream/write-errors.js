// Errors of write: after end, after destroy, wrong types, unknown encodings.
const { Writable } = require('stream');
const make = (options) => {
  const sink = new Writable({ write: (chunk, encoding, cb) => cb(), ...options });
  sink.on('error', (err) => console.log('error', err.code, err.message));
  sink.on('close', () => console.log('close'));
  return sink;
};
const ended = make();
ended.end();
console.log(ended.write('x', (err) => console.log('cb', err.code)));
setImmediate(() => {
  const finished = make();
  finished.end(() => finished.end((err) => console.log('second end', err.code, err.message)));
});
setImmediate(() => {
  const gone = make();
  gone.destroy();
  console.log(gone.write('x', (err) => console.log('cb', err.code, err.message)));
  gone.end((err) => console.log('end cb', err.code, err.message));
});
for (const bad of [5, {}, true, undefined]) {
  try {
    make().write(bad);
  } catch (err) {
    console.log(err.name, err.code, err.message);
  }
}
try {
  make().write('x', 'klingon');
} catch (err) {
  console.log(err.name, err.code, err.message);
}
try {
  make().setDefaultEncoding('klingon');
} catch (err) {
  console.log(err.name, err.code, err.message);
}
