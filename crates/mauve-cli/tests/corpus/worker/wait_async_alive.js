// Waits do not keep the program running, but those that were notified settle before it ends.
const array = new Int32Array(new SharedArrayBuffer(16));
process.on('beforeExit', () => console.log('beforeExit'));
process.on('exit', (code) => console.log('exit', code));
Atomics.waitAsync(array, 0, 0).value.then(() => console.log('never'));
Atomics.waitAsync(array, 0, 0, 5000).value.then(() => console.log('never'));
Atomics.waitAsync(array, 1, 0).value.then((value) => {
  console.log(value);
  setTimeout(() => console.log('a timer of its reaction runs'), 1);
});
console.log(Atomics.notify(array, 1));
