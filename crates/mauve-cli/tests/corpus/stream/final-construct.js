// construct runs first, final before 'finish'; errors of both.
const { Writable, Readable } = require('stream');
function sink(name, options) {
  const stream = new Writable({
    construct(cb) {
      console.log(name, 'construct');
      setImmediate(cb);
    },
    write(chunk, encoding, cb) {
      console.log(name, 'write', String(chunk));
      cb();
    },
    final(cb) {
      console.log(name, 'final');
      process.nextTick(cb);
    },
    destroy(err, cb) {
      console.log(name, 'destroy', err ? err.message : null);
      cb(err);
    },
    ...options,
  });
  for (const event of ['finish', 'error', 'close']) stream.on(event, (e) => console.log(name, event, e ? e.message : ''));
  return stream;
}
sink('good').end('x');
sink('badfinal', { final: (cb) => cb(new Error('final')) }).end('x', (err) => console.log('cb', err?.message));
sink('badconstruct', { construct: (cb) => cb(new Error('construct')) }).end('x', (err) => console.log('cb2', err?.message));
sink('early').destroy(new Error('early'));
const source = new Readable({
  construct(cb) {
    console.log('source construct');
    setTimeout(cb, 100);
  },
  read() {
    console.log('source read');
    this.push(null);
  },
});
source.on('end', () => console.log('source end')).resume();
