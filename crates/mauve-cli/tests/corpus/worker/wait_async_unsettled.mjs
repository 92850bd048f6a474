// The main module awaits a wait that nothing notifies: the program ends with code 13.
const array = new Int32Array(new SharedArrayBuffer(16));
console.log('before');
await Atomics.waitAsync(array, 0, 0, 1000).value;
console.log('never');
