// destroy: the order of 'error' and 'close', also without emitClose and autoDestroy.
const { Readable, Writable, Duplex } = require('stream');
function watch(name, stream) {
  for (const event of ['error', 'close', 'end', 'finish']) {
    stream.on(event, (err) => console.log(name, event, err ? err.message : ''));
  }
  return stream;
}
console.log(watch('r', new Readable({ read() {} })).destroy(new Error('r')).destroyed);
watch('w', new Writable({ write() {} })).destroy();
const d = watch('d', new Duplex({ read() {}, write() {}, destroy(err, cb) { setImmediate(cb, new Error('instead')); } }));
d.destroy(new Error('first'), (err) => console.log('d cb', err.message));
d.destroy(new Error('second'), (err) => console.log('d cb2', err));
watch('quiet', new Readable({ read() {}, emitClose: false })).destroy(new Error('quiet'));
const kept = watch('kept', new Readable({ read() {}, autoDestroy: false }));
kept.push(null);
kept.resume();
setTimeout(() => console.log(kept.destroyed, kept.closed, d.closed, d.errored.message, d.readableAborted, d.writableAborted), 10);
process.nextTick(() => console.log('tick'));
