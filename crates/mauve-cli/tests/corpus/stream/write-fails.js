// A failing _write fails the queued writes before 'error' is emitted.
const { Writable } = require('stream');
let count = 0;
const sink = new Writable({
  write(chunk, encoding, cb) {
    process.nextTick(cb, ++count === 2 ? new Error('disk full') : null);
  },
});
const tell = (name) => (err) => console.log(name, err ? err.message : 'ok');
sink.write('1', tell('one'));
sink.write('2', tell('two'));
sink.write('3', tell('three'));
sink.end('4', tell('end'));
sink.on('error', tell('error'));
sink.on('finish', tell('finish'));
sink.on('close', () => console.log('close', sink.errored.message, sink.writableLength));
const twice = new Writable({
  write(chunk, encoding, cb) {
    cb();
    cb();
  },
});
twice.on('error', (err) => console.log(err.code, err.message));
twice.write('x');
