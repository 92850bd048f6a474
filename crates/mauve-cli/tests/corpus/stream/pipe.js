// pipe: backpressure, two destinations, unpipe, and an error in the destination.
const { Readable, Writable } = require('stream');
function sink(name, delay, options) {
  const stream = new Writable({
    highWaterMark: 3,
    write(chunk, encoding, cb) {
      console.log(name, String(chunk));
      if (delay) setTimeout(cb, delay);
      else cb();
    },
    ...options,
  });
  for (const event of ['pipe', 'unpipe', 'finish', 'error']) {
    stream.on(event, (value) => console.log(name, event, event === 'error' ? value.message : ''));
  }
  return stream;
}
const letters = Readable.from(['a', 'bcd', 'e', 'fgh', 'i'], { objectMode: false, highWaterMark: 2 });
letters.on('pause', () => console.log('pause')).on('resume', () => console.log('resume'));
letters.pipe(sink('fast', 0));
letters.pipe(sink('slow', 1));
letters.on('end', () => {
  console.log('letters end', letters.readableFlowing);
  const numbers = Readable.from(['1', '2', '3', '4']);
  const one = sink('one', 0);
  numbers.pipe(one, { end: false });
  numbers.once('data', () => numbers.unpipe(one));
  numbers.on('end', () => {
    console.log('numbers end', one.writableEnded);
    const failing = sink('failing', 0, { write: (c, e, cb) => cb(new Error('full')) });
    const source = Readable.from(['x', 'y']);
    source.pipe(failing);
    failing.on('close', () => console.log('failing close', source.destroyed, source.readableFlowing));
  });
  setImmediate(() => numbers.resume());
});
