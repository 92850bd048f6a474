// The order of write callbacks, 'drain' and 'finish', with a synchronous and an asynchronous sink.
const { Writable } = require('stream');
function run(name, write) {
  const sink = new Writable({ highWaterMark: 4, write });
  for (const event of ['drain', 'prefinish', 'finish', 'close']) sink.on(event, () => console.log(name, event));
  console.log(name, sink.write('ab', () => console.log(name, 'cb1')));
  console.log(name, sink.write('cdef', () => console.log(name, 'cb2')), sink.writableNeedDrain, sink.writableLength);
  sink.once('drain', () => {
    console.log(name, sink.write('g'));
    sink.end('h', () => console.log(name, 'end cb'));
  });
  process.nextTick(() => {
    console.log(name, 'tick');
    if (!sink.writableNeedDrain && !sink.writableEnded) sink.end(() => console.log(name, 'ended'));
  });
}
run('sync', (chunk, encoding, cb) => cb());
run('tick', (chunk, encoding, cb) => process.nextTick(cb));
run('later', (chunk, encoding, cb) => setImmediate(cb));
