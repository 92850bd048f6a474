// The errors of Buffer and their messages.
const cases = [
  () => Buffer.from(5), () => Buffer.from(null), () => Buffer.from({}), () => Buffer.from('a', 'nope'),
  () => Buffer.alloc('5'), () => Buffer.alloc(-1), () => Buffer.alloc(2 ** 53), () => Buffer.alloc(NaN),
  () => Buffer.alloc(5).readUInt32LE(3), () => Buffer.alloc(5).readUInt32LE(1.5), () => Buffer.alloc(2).readUInt32LE(),
  () => Buffer.alloc(5).readUInt8('1'), () => Buffer.alloc(5).writeUInt8(256), () => Buffer.alloc(8).writeUInt32LE(2 ** 32),
  () => Buffer.alloc(8).writeUIntLE(2 ** 40, 0, 5), () => Buffer.alloc(8).writeIntBE(2 ** 40, 0, 5), () => Buffer.alloc(8).writeIntBE(-(2 ** 31) - 1, 0, 4),
  () => Buffer.alloc(8).writeBigInt64LE(2n ** 64n), () => Buffer.alloc(8).writeBigUInt64LE(-1n), () => Buffer.alloc(8).writeBigInt64LE(1),
  () => Buffer.alloc(8).readUIntLE(0, 7), () => Buffer.alloc(8).readUIntLE(0), () => Buffer.alloc(8).readUIntLE(), () => Buffer.alloc(8).readIntBE(5, 4),
  () => Buffer.concat(5), () => Buffer.concat([5]), () => Buffer.concat([Object.create(Uint8Array.prototype)], 1), () => Buffer.concat([Buffer.alloc(1), {length: 2}]), () => Buffer.concat([null]), () => Buffer.concat([Buffer.alloc(1)], -1), () => Buffer.alloc(3).swap16(), () => Buffer.alloc(3).swap64(),
  () => Buffer.alloc(2).fill('zz', 'hex'), () => Buffer.alloc(2).fill('', 'hex'), () => Buffer.alloc(2, 'a', 'bad'),
  () => Buffer.compare(1, 2), () => Buffer.alloc(1).equals(1), () => Buffer.alloc(1).indexOf({}), () => Buffer.byteLength(5),
  () => Buffer.alloc(1).toString('bad'), () => Buffer.alloc(1).write(5), () => Buffer.alloc(1).write('a', 5), () => Buffer.alloc(1).write('a', 0, 'bad'),
  () => Buffer.alloc(1).copy(5), () => Buffer.alloc(4).copy(Buffer.alloc(2), 5), () => Buffer.alloc(4).copy(Buffer.alloc(2), 0, 5),
  () => Buffer.alloc(4).copy(Buffer.alloc(2), -1), () => Buffer.alloc(4).compare(Buffer.alloc(2), 5),
  () => atob('a'), () => atob('*'), () => btoa('€'), () => atob(), () => Buffer.from(new ArrayBuffer(2), 5), () => Buffer.from(new ArrayBuffer(2), 0, 5),
  () => Buffer.from(Symbol('x')), () => Buffer.alloc(4).fill('a', 5), () => Buffer.alloc(4).fill('a', 0, 7), () => Buffer.alloc(4).fill('a', -1),
  () => Buffer.alloc(1).writeInt8(NaN), () => Buffer.alloc(1).write('abc', 0, 5), () => Buffer.alloc(4).writeUInt16BE('5'),
  () => Buffer.alloc(4).readInt8(4), () => Buffer.alloc(0).readInt8(0), () => Buffer.alloc(8).writeDoubleLE('x'), () => Buffer.alloc(4).readFloatLE(1),
  () => Buffer.alloc(4).write('abcd', 1, 2), () => Buffer.alloc(4).write('abcd', 'latin1'), () => Buffer.alloc(4).lastIndexOf(''),
  () => Buffer.isBuffer({}), () => Buffer.isEncoding('UTF-8'), () => Buffer.isEncoding(''), () => Buffer.isEncoding(5), () => Buffer.isEncoding('x'),
  () => Buffer.alloc(2).subarray('a', 'b'), () => Buffer.copyBytesFrom(5), () => Buffer.copyBytesFrom(new Uint16Array([1, 256])),
];
for (const one of cases) {
  try {
    console.log(one.toString(), '=>', one());
  } catch (error) {
    console.log(one.toString(), '!!', error.name, error.code, error.message);
  }
}
