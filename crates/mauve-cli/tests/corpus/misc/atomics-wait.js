// Atomics.wait blocks the main thread.
const shared = new Int32Array(new SharedArrayBuffer(8));
const begin = process.hrtime.bigint();
console.log(Atomics.wait(shared, 0, 0, 30), process.hrtime.bigint() - begin >= 30_000_000n);
console.log(Atomics.wait(shared, 0, 1), Atomics.wait(shared, 1, 0, 0), Atomics.wait(shared, 0, 0, -5));
console.log(Atomics.wait(new BigInt64Array(new SharedArrayBuffer(8)), 0, 0n, 1));
for (const args of [[new Int32Array(1), 0, 0, 1], [new Uint8Array(new SharedArrayBuffer(1)), 0, 0, 1], [{}, 0, 0, 1], [shared, 9, 0, 1]]) {
  try {
    console.log(Atomics.wait(...args));
  } catch (error) {
    console.log(error.name);
  }
}
