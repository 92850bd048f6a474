// Duplex: two sides that end independently, and allowHalfOpen: false.
const { Duplex, duplexPair } = require('stream');
for (const allowHalfOpen of [true, false]) {
  const stream = new Duplex({
    allowHalfOpen,
    read() {
      this.push('out');
      this.push(null);
    },
    write(chunk, encoding, cb) {
      console.log(allowHalfOpen, 'in', String(chunk));
      cb();
    },
  });
  for (const event of ['data', 'end', 'finish', 'close']) stream.on(event, (v) => console.log(allowHalfOpen, event, v ? String(v) : ''));
  if (allowHalfOpen) setTimeout(() => stream.end('x'), 5);
}
const readOnly = new Duplex({ read() {}, writable: false });
console.log(readOnly.writable, readOnly.readable, readOnly.writableFinished, readOnly instanceof require('stream').Writable);
const [a, b] = duplexPair();
b.on('data', (c) => console.log('b got', String(c)));
b.on('end', () => b.end('bye'));
a.on('data', (c) => console.log('a got', String(c)));
a.write('hello');
a.end();
