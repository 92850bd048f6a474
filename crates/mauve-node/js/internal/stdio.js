// The standard streams.

const { writeText, writeBytes } = binding('stdio');

exports.open = function open(fd) {
  const EventEmitter = require('events');
  const stream = new EventEmitter();
  stream.fd = fd;
  stream.write = (chunk, encoding, callback) => {
    if (typeof chunk === 'string') writeText(fd, chunk);
    else writeBytes(fd, chunk);
    callback = typeof encoding === 'function' ? encoding : callback;
    if (callback) process.nextTick(callback);
    return true;
  };
  return stream;
};
