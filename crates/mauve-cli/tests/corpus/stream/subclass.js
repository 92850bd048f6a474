// Old forms of streams: util.inherits, calls without new, wrap, and the base class.
const stream = require('stream');
const util = require('util');
const EventEmitter = require('events');
function Counter(options) {
  stream.Readable.call(this, options);
  this.n = 0;
}
util.inherits(Counter, stream.Readable);
Counter.prototype._read = function () {
  this.push(this.n < 3 ? String(this.n++) : null);
};
new Counter().on('data', (c) => console.log('counter', String(c)));
console.log(stream.Readable({ read() {} }) instanceof stream.Readable, stream.Writable() instanceof stream.Writable);
console.log(stream.PassThrough() instanceof stream.Transform, stream.Duplex() instanceof stream.Writable, new stream() instanceof EventEmitter);
class Loud extends stream.Transform {
  _transform(chunk, encoding, cb) {
    cb(null, `${chunk}!`);
  }
  _final(cb) {
    console.log('final');
    cb();
  }
  _flush(cb) {
    console.log('flush');
    cb();
  }
}
const loud = new Loud();
loud.on('data', (c) => console.log(String(c))).on('end', () => console.log('loud end'));
loud.end('hey');
const old = new EventEmitter();
old.pause = () => console.log('old paused');
old.resume = () => console.log('old resumed');
const wrapped = new stream.Readable({ highWaterMark: 2 }).wrap(old);
wrapped.on('data', (c) => console.log('wrapped', String(c))).on('end', () => console.log('wrapped end'));
old.emit('data', Buffer.from('abc'));
setImmediate(() => old.emit('end'));
const legacy = new stream();
legacy.pipe(new stream.Writable({ write: (c, e, cb) => (console.log('legacy', String(c)), cb()) }));
legacy.emit('data', 'x');
legacy.emit('end');
