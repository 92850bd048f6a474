// The event 'multipleResolves' is emitted in a tick for each call without effect.
process.on('warning', () => {});
console.log(Promise.resolve(Promise.resolve(1)) instanceof Promise);
process.on('multipleResolves', (type, promise, value) => console.log('event', type, promise instanceof Promise, value));
process.nextTick(() => console.log('tick 1'));
Promise.resolve().then(() => console.log('microtask 1'));
const promise = new Promise((resolve, reject) => {
  resolve(1);
  resolve(2);
  reject(3);
});
console.log('sync', Promise.resolve(promise) === promise, promise.constructor === Promise.prototype.constructor);
process.nextTick(() => console.log('tick 2'));
class Derived extends Promise {}
const derived = new Derived((resolve) => {
  resolve(4);
  resolve(5);
});
console.log(derived instanceof Derived, Derived.resolve(derived) === derived, derived.then(() => {}) instanceof Derived);
(async () => {
  console.log(await promise);
  console.log(await Promise.all([promise, derived, 7]));
})();
try {
  new Promise(1);
} catch (error) {
  console.log(error.name);
}
