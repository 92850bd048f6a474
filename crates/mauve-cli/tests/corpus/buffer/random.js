// Random Buffer operations, with a fixed seed.
let seed = 777;
const random = (n) => { seed = (Math.imul(seed, 1103515245) + 12345) >>> 0; return (seed >>> 8) % n; };
const pick = (list) => list[random(list.length)];
const bytes = (n) => Buffer.from(Array.from({ length: n }, () => pick([random(256), 0x61 + random(4), 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0xc3, 0x80])));
const text = () => Array.from({ length: random(8) }, () => pick(['a', 'b', 'é', '€', '\u{1f600}', '\ud800', '=', 'Zg', '-', '_', '0', 'f'])).join('');
// Node 24 aborts when it searches for a lone surrogate.
const needle = () => text().toWellFormed();
const encodings = ['utf8', 'latin1', 'ascii', 'hex', 'base64', 'base64url', 'utf16le'];
for (let i = 0; i < 3000; i++) {
  const buffer = bytes(random(24));
  const encoding = pick(encodings);
  const number = () => pick([random(30), -random(30), random(300) / 8, undefined]);
  const actions = [
    () => buffer.toString(encoding, number(), number()), () => buffer.subarray(number(), number()), () => buffer.indexOf(needle(), number(), pick(['utf8', 'latin1', 'utf16le'])), () => buffer.lastIndexOf(needle(), number(), pick(['utf8', 'latin1'])), () => buffer.indexOf(bytes(random(3)), number()), () => buffer.lastIndexOf(bytes(1 + random(2)), number()), () => buffer.includes(random(256), number()), () => [buffer.write(text(), pick(['utf8', 'latin1', 'utf16le', 'hex'])), buffer], () => [buffer.write(text(), random(30), pick(['utf8', 'latin1', 'utf16le'])), buffer], () => buffer.fill(pick([random(400), bytes(1 + random(4)), 'ab', 'é']), random(10), random(30)), () => buffer.compare(bytes(random(10))), () => [buffer.copy(buffer, random(12), random(12), random(24)), buffer], () => buffer[pick(['readUInt16LE', 'readInt32BE', 'readDoubleLE', 'readBigInt64BE', 'readFloatBE', 'readInt8'])](random(20)), () => buffer[pick(['readUIntBE', 'readIntLE'])](random(20), 1 + random(6)), () => [buffer[pick(['writeUInt16LE', 'writeInt32BE', 'writeDoubleLE', 'writeFloatBE', 'writeInt8', 'writeUInt32LE'])](random(70000) - 300, random(20)), buffer], () => Buffer.concat([buffer, bytes(3)], pick([undefined, random(30)])), () => Buffer.byteLength(text(), encoding), () => buffer.toString(encoding), () => Buffer.from(buffer.toString(encoding), encoding).equals(buffer), () => buffer.swap16(), () => JSON.stringify(buffer), () => new TextDecoder(pick(['utf-8', 'utf-16le']), { fatal: random(2) === 1 }).decode(buffer),
  ];
  try {
    console.log(i, pick(actions)());
  } catch (error) {
    console.log(i, error.name, error.code, error.message);
  }
}
