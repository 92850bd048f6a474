// finished: called once, also for streams that have already ended; cleanup removes the listeners.
const { finished, Readable, Writable, Duplex } = require('stream');
const r = new Readable({ read() {} });
finished(r, (err) => console.log('r', err));
r.push(null);
r.resume();
const w = new Writable({ write: (c, e, cb) => cb() });
finished(w, (err) => console.log('w', err));
w.end('x');
w.on('finish', () => console.log('w finish')).on('close', () => console.log('w close'));
const d = new Duplex({ read() {}, write: (c, e, cb) => cb() });
finished(d, { readable: false }, (err) => console.log('d writable side', err));
finished(d, (err) => console.log('d', err.code));
d.end();
setTimeout(() => d.destroy(), 5);
setTimeout(() => {
  finished(r, (err) => console.log('r again', err));
  finished(w, (err) => console.log('w again', err));
  finished(d, (err) => console.log('d again', err.code));
  const cleanup = finished(new Readable({ read() {} }), () => console.log('never'));
  cleanup();
}, 10);
const controller = new AbortController();
finished(new Readable({ read() {} }), { signal: controller.signal }, (err) => console.log(err.name));
controller.abort();
try {
  finished(r);
} catch (err) {
  console.log(err.code);
}
