// A failing _write fails the queued writes before 'error' is emitted.
const { Writable } = require('stream');
let count = 0;
const sink = new Writable({
  write(chunk, encoding, cb) {
    process.nextTick(cb, ++count === 2 ? new Error('disk full') : null);
  },
});
const show = (name) => (err) => console.log(name, err ? err.message : 'ok');
sink.write('1', show('one'));
sink.write('2', show('two'));
sink.write('3', show('three'));
sink.end('4', show('end'));
sink.on('error', show('error'));
sink.on('finish', show('finish'));
sink.on('close', () => console.log('close', sink.errored.message, sink.writableLength));
const twice = new Writable({
  write(chunk, encoding, cb) {
    cb();
    cb();
  },
});
twice.on('error', (err) => console.log(err.code, err.message));
twice.write('x');
