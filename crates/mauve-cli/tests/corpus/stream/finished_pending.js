// finished() waits for a write that is pending, if only the writable side matters.
const { Duplex, finished } = require('stream');

const duplex = new Duplex({
  read() {},
  write(chunk, encoding, callback) {
    setTimeout(() => { console.log('written'); callback(); }, 10);
  },
});
duplex.on('finish', () => console.log('finish'));
duplex.end('data');
finished(duplex, { readable: false }, (err) => console.log('finished', err));
setImmediate(() => console.log('immediate'));
