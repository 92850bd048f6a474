// stdout: callbacks, order with the console, properties.
process.stdout.write('a');
console.log('b');
process.stdout.write('c\n', () => console.log('written'));
process.stdout.write(Buffer.from('bytes\n'));
process.stdout.write('686578\n', 'hex', () => console.log('\nhex'));
console.log(process.stdout.fd, process.stderr.fd, process.stdout.isTTY, process.stdout.writable, process.stdout.columns, process.stdout._isStdio);
console.log(typeof process.stdout.getWindowSize, process.stdout === process.stdout);
process.nextTick(() => console.log('tick'));
try {
  process.stdout.write(5);
} catch (err) {
  console.log(err.code);
}
const original = process.stdout.write;
const seen = [];
process.stdout.write = (text) => seen.push(text);
console.log('captured');
process.stdout.write = original;
console.log(seen);
