// Text to bytes and back in every encoding, with invalid input.
const encodings = ['utf8', 'UTF-8', 'hex', 'base64', 'base64url', 'latin1', 'binary', 'ascii', 'utf16le', 'ucs2', 'UCS-2'];
const texts = ['', 'a', 'hello', 'héllo', '€uro', '\u{1f600}', 'a\ud800b', '\udc00', 'abc', 'abcd', 'zz', 'abxx11', 'YQ==', 'YQ', 'YQ==YQ==', 'Y Q\n=', 'Y', 'YWI', 'YW-_', 'YW+/', '*YQ', 'YR==', '!!!!', '=', '====', 'YQ=YQ', '\0\x7f\x80\xff'];
for (const text of texts) {
  for (const encoding of encodings) {
    const buffer = Buffer.from(text, encoding);
    console.log(JSON.stringify(text), encoding, buffer.toString('hex'), buffer.length, Buffer.byteLength(text, encoding));
  }
}
const blobs = [[], [0x61], [0xc3], [0xc3, 0x28], [0xe2, 0x82], [0xe2, 0x82, 0xac], [0xf0, 0x9f, 0x98], [0xf0, 0x9f, 0x98, 0x80], [0xed, 0xa0, 0x80], [0xc0, 0x80], [0xff, 0xfe, 0x41], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x28, 0xa1], [0x80, 0x81, 0x41], [0xef, 0xbb, 0xbf, 0x41], [0x00, 0xd8, 0x41, 0x00], [0x3d, 0xd8, 0x00, 0xde], [1, 2, 3, 4, 5, 250]];
for (const blob of blobs) {
  const buffer = Buffer.from(blob);
  for (const encoding of encodings) {
    const text = buffer.toString(encoding);
    console.log(blob.join(), encoding, JSON.stringify(text), text.length, JSON.stringify(buffer.toString(encoding, 1)), JSON.stringify(buffer.toString(encoding, 0, 2)));
  }
  console.log(require('buffer').isUtf8(buffer), require('buffer').isAscii(buffer));
}
for (const encoding of encodings) {
  for (const text of ['héllo', '€€', 'abcdef', '\u{1f600}x']) {
    for (const size of [1, 2, 3, 4, 5]) {
      const buffer = Buffer.alloc(size);
      console.log(encoding, JSON.stringify(text), size, buffer.write(text, encoding), buffer);
    }
  }
}
console.log(btoa('hello\xff'), atob(' aGVs bG8='), Buffer.from(btoa('\0\x01'), 'base64'));
const { transcode } = require('buffer');
console.log(transcode(Buffer.from('€'), 'utf8', 'ascii'), transcode(Buffer.from('é'), 'utf8', 'latin1'), transcode(Buffer.from('é'), 'utf8', 'ucs2'), transcode(Buffer.from([0xe9]), 'latin1', 'utf8'));
