// cork buffers writes, uncork passes them to _writev at once; corks nest.
const { Writable } = require('stream');
const sink = new Writable({
  write(chunk, encoding, cb) {
    console.log('write', String(chunk));
    cb();
  },
  writev(chunks, cb) {
    console.log('writev', chunks.map((c) => String(c.chunk)), chunks.allBuffers);
    setImmediate(cb);
  },
});
sink.cork();
sink.cork();
sink.write('a', () => console.log('a done'));
sink.write('b');
console.log(sink.writableCorked, sink.writableLength);
sink.uncork();
console.log('still', sink.writableLength);
sink.write('c', () => console.log('c done'));
sink.uncork();
sink.write('d');
sink.write('e');
sink.cork();
sink.end('f', () => console.log('finished', sink.writableFinished));
