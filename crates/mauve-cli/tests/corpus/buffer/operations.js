// alloc, slice, indexOf, compare, fill, numbers, inspect.
const log = console.log;
log(Buffer.from([1, 2, 257, -1, 3.7, '5', 'x']), Buffer.from({ length: 2, 0: 1, 1: 2 }), Buffer.from({ type: 'Buffer', data: [1, 2] }), Buffer.from(new String('s')), Buffer.from({ valueOf: () => 'v' }), Buffer.from(new Uint16Array([1, 300])), Buffer.of(1, 2), Buffer.from({ [Symbol.toPrimitive]: () => 'prim' }));
const shared = new ArrayBuffer(8);
const view = Buffer.from(shared, 2, 3);
view[0] = 9;
log(new Uint8Array(shared), view.byteOffset, view.length, view.buffer === shared);
log(Buffer.alloc(5, 'ab'), Buffer.alloc(5, 1), Buffer.alloc(6, 'YQ==', 'base64'), Buffer.alloc(3, Buffer.from('xy')), Buffer.alloc(0));
log(Buffer.concat([Buffer.from('a'), new Uint8Array([98]), Buffer.from('c')]), Buffer.concat([Buffer.from('abc')], 2), Buffer.concat([Buffer.from('a')], 3), Buffer.concat([]));
const b = Buffer.from('hello world, hello');
log(b.slice(0, 5).toString(), b.subarray(-5).toString(), b.slice(2, -2).toString(), b.slice(5, 2), b.slice(100), b.subarray(1.9, 3.2).toString());
for (const [value, ...rest] of [['hello'], ['hello', 1], ['hello', -5], ['hello', -100], ['o', 5], ['', 3], ['', 100], ['zzz'], [Buffer.from('world')], [111], [111, 5], [111 + 256], ['hello', 100], ['6c6c', 0, 'hex'], ['wor', 'latin1'], [null, 0], [new Uint8Array([104])]]) {
  try {
    log(value, rest, b.indexOf(value, ...rest), b.lastIndexOf(value, ...rest), b.includes(value, ...rest));
  } catch (error) {
    log(value, error.message);
  }
}
const wide = Buffer.from('abcabc', 'utf16le');
log(wide.indexOf('b', 'utf16le'), wide.indexOf('b', 3, 'utf16le'), wide.lastIndexOf('b', 'utf16le'), wide.indexOf(Buffer.from([0, 98])));
log(Buffer.compare(Buffer.from('a'), Buffer.from('b')), b.compare(Buffer.from('hello'), 0, 5, 0, 5), b.equals(Buffer.from(b)), Buffer.from('b').compare(Buffer.from('a')), [Buffer.from('b'), Buffer.from('a')].sort(Buffer.compare));
const f = Buffer.alloc(8);
log(f.fill('abc'), f.fill(0), f.fill('é', 1, 6), f.fill(300), f.fill('ff', 2, 4, 'hex'), f.fill(Buffer.from([1, 2])), f.fill(true), f.fill('\u0222'));
log(Buffer.from([1, 2, 3, 4, 5, 6, 7, 8]).swap16(), Buffer.from([1, 2, 3, 4, 5, 6, 7, 8]).swap32(), Buffer.from([1, 2, 3, 4, 5, 6, 7, 8]).swap64());
log(JSON.stringify(Buffer.from('hi')), Buffer.from('hi').toJSON(), Object.keys(Buffer.from('hi')), [...Buffer.from('hi').entries()], Buffer.from('hi').map((x) => x + 1), Buffer.from('abc').filter((x) => x > 97));
const big = Buffer.alloc(60, 1);
log(big, Object.assign(Buffer.from('a'), { x: 1, y: { z: 2 } }), [Buffer.from('q')], { k: Buffer.alloc(2) }, Buffer.from(''), Object.assign(Buffer.alloc(0), { e: 1 }));
log(Buffer.from('a') instanceof Uint8Array, Buffer.isBuffer(new Uint8Array()), Buffer.name, Buffer.from('a').constructor === Buffer, Buffer.poolSize, typeof Buffer.from('a').subarray(0), Buffer.prototype.constructor.name);
const target = Buffer.alloc(6, '.');
log(b.copy(target, 1, 2, 5), target.toString(), target.copy(target, 2, 0, 4), target.toString());
const n = Buffer.alloc(8);
for (const [name, ...values] of [['UInt8', 0, 255, 7.9], ['Int8', -128, 127, -1.5], ['UInt16LE', 65535, 258], ['UInt16BE', 258], ['Int16LE', -2], ['Int16BE', -32768], ['UInt32LE', 4294967295, 16909060], ['UInt32BE', 16909060], ['Int32LE', -1, 2147483647], ['Int32BE', -2147483648], ['FloatLE', 1.5, -0, NaN, 1e40], ['FloatBE', 0.1], ['DoubleLE', Math.PI, Infinity], ['DoubleBE', -1e-300], ['BigInt64LE', -1n, 2n ** 62n], ['BigInt64BE', -(2n ** 63n)], ['BigUInt64LE', 2n ** 64n - 1n], ['BigUInt64BE', 72623859790382856n]]) {
  for (const value of values) {
    n.fill(0);
    log(name, value, n[`write${name}`](value), n.toString('hex'), n[`read${name}`]());
  }
}
for (let width = 1; width <= 6; width++) {
  for (const value of [0, 1, -1, 127, -128, 2 ** (8 * width - 1) - 1, -(2 ** (8 * width - 1))]) {
    n.fill(0);
    log(width, value, n.writeIntLE(value, 1, width), n.toString('hex'), n.readIntLE(1, width), n.writeIntBE(value, 0, width), n.toString('hex'), n.readIntBE(0, width), n.readUIntLE(0, width), n.readUIntBE(2, width));
  }
  log(n.writeUIntLE(2 ** (8 * width) - 1, 0, width), n.writeUIntBE(2 ** (8 * width) - 1, 2, width), n.toString('hex'));
}
log(n.readUint8(0) === n.readUInt8(0), n.readUint16LE.name, Buffer.from('x').toLocaleString(), Buffer.from('abc').at(-1), Buffer.from('test').latin1Slice(1, 3), Buffer.from('test').hexSlice());
const { Blob, File, constants, kMaxLength } = require('buffer');
log(constants, kMaxLength, new Blob(['ab', new Uint8Array([99])], { type: 'Text/Plain' }), new File(['x'], 'n.txt', { lastModified: 5 }));
new Blob(['hé', Buffer.from('!')]).text().then((text) => log(text)).then(() => new Blob(['abcdef']).slice(1, -1).arrayBuffer()).then((bytes) => log(bytes));
