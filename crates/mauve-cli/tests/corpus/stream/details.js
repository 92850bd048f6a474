// Names of events, bytes before decoded text, disposal, and the form of the operators.
const { Duplex, Readable, Transform, Writable, pipeline, Stream } = require('stream');

for (const Class of [Readable, Writable, Duplex, Transform]) console.log(new Class().eventNames());
console.log(new Readable().on('foo', () => {}).on('data', () => {}).on('error', () => {}).eventNames());

const readable = new Readable({ read() {} });
readable.setEncoding('utf8');
readable.push(Buffer.from('b'));
readable.unshift(new Uint8Array([97]));
console.log(readable.read());

for (const name of ['map', 'flatMap', 'drop', 'take', 'some', 'find', 'filter', 'every', 'toArray', 'reduce', 'forEach']) {
  const method = Readable.prototype[name];
  let isConstructor = true;
  try { new method(); } catch (err) { isConstructor = !(err instanceof TypeError); }
  console.log(name, method.name, method.length, isConstructor);
}
try { Readable.from([1]).flatMap(1); } catch (err) { console.log(err.code); }

const writable = new Writable({ write(chunk, encoding, callback) { callback(); } });
writable.on('error', (err) => console.log('writable', err.name));
writable[Symbol.asyncDispose]().then(() => console.log('disposed', writable.destroyed));

const old = new Stream();
old.destroy = () => console.log('old stream destroyed');
setImmediate(() => {
  process.nextTick(() => old.emit('error', new Error('kaboom')));
  pipeline(old, async () => {}, (err) => console.log('pipeline', err.message));
});
