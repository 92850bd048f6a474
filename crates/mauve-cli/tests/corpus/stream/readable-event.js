// 'readable' and read(n): partial reads, null in between, the rest at EOF.
const { Readable } = require('stream');
const source = new Readable({ read() {} });
source.on('readable', () => {
  console.log('readable', source.readableLength);
  let chunk;
  while ((chunk = source.read(4)) !== null) console.log('read', chunk.toString());
});
source.on('end', () => console.log('end'));
source.push('abcdefghij');
process.nextTick(() => source.push('klm'));
setImmediate(() => {
  source.push('no');
  source.push(null);
});
