// StringDecoder, TextDecoder and TextEncoder, byte by byte and at once.
const { StringDecoder } = require('string_decoder');
const show = JSON.stringify;
const samples = [Buffer.from('héllo €uro \u{1f600}!'), Buffer.from([0xc3]), Buffer.from([0xe2, 0x82]), Buffer.from([0xe2, 0x82, 0x41]), Buffer.from([0xf0, 0x9f, 0x98]), Buffer.from([0xf0, 0x41, 0x42]), Buffer.from([0xff, 0xc3, 0xa9]), Buffer.from([0x80, 0x80]), Buffer.from([0xed, 0xa0, 0x80, 0x41]), Buffer.from([0xe0, 0x80, 0x80]), Buffer.from('a\u{1f600}b', 'utf16le'), Buffer.from([0x3d, 0xd8, 0x00]), Buffer.from([0x3d, 0xd8]), Buffer.from([0xef, 0xbb, 0xbf, 0x61])];
for (const encoding of ['utf8', 'utf16le', 'base64', 'base64url', 'hex', 'latin1', 'ascii', undefined, 'UTF-8', 'binary']) {
  for (const sample of samples) {
    for (const size of [1, 2, 3, 100]) {
      const decoder = new StringDecoder(encoding);
      const parts = [];
      for (let i = 0; i < sample.length; i += size) parts.push(decoder.write(sample.subarray(i, i + size)));
      parts.push(decoder.end());
      console.log(encoding, sample, size, show(parts), decoder.encoding);
    }
  }
}
for (const bad of ['nope', 5, {}]) {
  try {
    new StringDecoder(bad);
  } catch (error) {
    console.log(error.name, error.code, error.message);
  }
}
try {
  new StringDecoder().write(5);
} catch (error) {
  console.log(error.name, error.code, error.message);
}
const d = new StringDecoder('utf8');
console.log(show(d.write(Buffer.from([0xe2]))), d.lastNeed, d.lastTotal, show(d.end(Buffer.from([0x82, 0xac]))), show(d.write('text')));
for (const label of ['utf-8', 'UTF8', 'utf-16le', 'latin1', 'ascii', 'nope', 5]) {
  for (const options of [{}, { fatal: true }, { ignoreBOM: true }]) {
    try {
      const decoder = new TextDecoder(label, options);
      for (const sample of samples) {
        try {
          console.log(decoder.encoding, decoder.fatal, decoder.ignoreBOM, sample, show(decoder.decode(sample)));
          const parts = [];
          for (const byte of sample) parts.push(decoder.decode(new Uint8Array([byte]), { stream: true }));
          parts.push(decoder.decode());
          console.log(show(parts.join('')));
        } catch (error) {
          console.log(error.name, error.code, error.message);
        }
      }
    } catch (error) {
      console.log(label, error.name, error.code, error.message);
    }
  }
}
const encoder = new TextEncoder();
console.log(encoder.encoding, encoder.encode('é€\u{1f600}'), encoder.encode(), encoder.encode('\ud800'), encoder.encodeInto('a€b', new Uint8Array(3)), String(encoder), encoder);
try {
  new TextDecoder().decode('text');
} catch (error) {
  console.log(error.name, error.code, error.message);
}
