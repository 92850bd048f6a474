// unshift() before and after setEncoding().
'use strict';
const { Readable } = require('stream');

const MODES = {
  before(r, first, second, encoding) {
    r.unshift(second);
    r.setEncoding(encoding);
    r.push(first);
  },
  between(r, first, second, encoding) {
    r.push(first);
    r.unshift(second);
    r.setEncoding(encoding);
  },
  after(r, first, second, encoding) {
    r.push(first);
    r.setEncoding(encoding);
    r.unshift(second);
  },
  text(r, first, second, encoding) {
    r.push(first);
    r.setEncoding(encoding);
    r.unshift('zz');
    r.unshift(second);
  },
  split(r, first, second, encoding) {
    r.push(first.subarray(0, 1));
    r.unshift(second);
    r.setEncoding(encoding);
    r.push(first.subarray(1));
  },
};

for (const encoding of ['utf8', 'hex', 'base64', 'utf16le']) {
  for (const mode in MODES) {
    const r = new Readable({ read() {} });
    MODES[mode](r, Buffer.from('é€'), Buffer.from('x'), encoding);
    console.log(encoding, mode, r.readableLength, r._readableState.buffer.length);
    r.push(null);
    r.on('data', (part) => console.log(encoding, mode, JSON.stringify(part)));
  }
}

// All that is left is text; a part of it may be bytes.
const r = new Readable({ read() {} });
r.unshift('abc');
r.setEncoding('utf8');
console.log(r.read(2), r.read());
r.unshift(Buffer.from('xyz'));
console.log(r.read(1), r.read());
