// Atomics.waitAsync in one thread: what was notified settles in the poll phase, in the order of the notifications.
const array = new Int32Array(new SharedArrayBuffer(16));
const settled = [];
const wait = (index, limit) => Atomics.waitAsync(array, index, 0, limit).value.then((value) => {
  console.log('settled', index, value);
  settled.push(index);
  process.nextTick(() => console.log('tick of', index));
});
const result = (...args) => {
  try {
    console.log(Atomics.waitAsync(...args));
  } catch (error) {
    console.log(error instanceof TypeError ? 'TypeError' : `${error.name} ${error.message}`);
  }
};
result(array, 0, 1);
result(array, 0, 0, 0);
result(array, 0, 0, -5);
result(new BigInt64Array(new SharedArrayBuffer(8)), 0, 0n, 10);
result(new Int32Array(4), 0, 0);
result(new Uint8Array(new SharedArrayBuffer(8)), 0, 0);
result([], 0, 0);
result(array, 9, 0);
console.log(Atomics.waitAsync.length, Atomics.waitAsync.name);

for (const index of [0, 1, 0, 2, 3]) wait(index);
wait(3, 40);
setImmediate(() => {
  console.log('immediate');
  setImmediate(() => console.log('second immediate'));
});
process.nextTick(() => console.log('tick'));
Promise.resolve().then(() => console.log('microtask'));
console.log(Atomics.notify(array, 2), Atomics.notify(array, 0, 1), Atomics.notify(array, 1), Atomics.notify(array, 0));
setTimeout(() => {
  // The first wait of this index has no limit.
  console.log(settled.join(), Atomics.notify(array, 3));
  setTimeout(() => console.log('end'), 20);
}, 200);
